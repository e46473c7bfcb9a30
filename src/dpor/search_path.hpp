// The current execution as a path through the tree of all executions: what is known at each of its prefixes E.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dependence.hpp"
#include "dpor/overtaken.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

class SearchPath {
 public:
  /// With observers, a step sleeps as long as it is a weak initial of what follows the prefix where it was explored
  /// (Def. 3 of *Optimal DPOR with Observers*); else until a step depends on it.
  explicit SearchPath(bool observers) : observers_(observers) {}

  struct Node {
    LabelledStep current;  ///< the step that the current execution takes
    std::uint32_t sleep_begin = 0;
    WakeupTrees::Index planned = WakeupTrees::kNoNode;  ///< wut(E) without the current step: its first child
    std::uint32_t explored = 0;                         ///< steps already explored from E
    std::uint32_t switches = 0;                         ///< context switches of the prefix that ends with `current`
    std::uint32_t messages = 0;                         ///< with observers: so many had been overtaken before
  };

  /// One step of a prefix, with those that were explored before it after the same steps: all that is needed to go on
  /// elsewhere.
  struct Taken {
    LabelledStep step;
    std::vector<LabelledStep> done;
  };
  using Prefix = std::vector<Taken>;

  /// Makes it this prefix, with nothing planned.
  void start(const Prefix& prefix) {
    while (!empty()) {
      trees.remove(back().planned);
      pop();
    }
    for (const Taken& taken : prefix) {
      push(taken.step);
      for (const LabelledStep& done : taken.done) add_done(done);
    }
  }

  std::size_t size() const { return nodes_.size(); }
  bool empty() const { return nodes_.empty(); }
  Node& operator[](std::size_t i) { return nodes_[i]; }
  const Node& operator[](std::size_t i) const { return nodes_[i]; }
  Node& back() { return nodes_.back(); }

  /// sleep(E) and done(E) of the prefix of this length.
  std::span<const LabelledStep> sleep(std::size_t length) const {
    const std::size_t end = length + 1 < nodes_.size() ? nodes_[length + 1].sleep_begin : sleep_.size();
    return std::span(sleep_).subspan(nodes_[length].sleep_begin, end - nodes_[length].sleep_begin);
  }

  /// Those of them that were explored from E itself.
  std::span<const LabelledStep> done(std::size_t length) const { return sleep(length).last(nodes_[length].explored); }

  /// With observers: how far each of sleep(E) has been overtaken since it was explored.
  std::span<const Overtaken> overtaken(std::size_t length) const {
    return std::span(overtaken_).subspan(nodes_[length].sleep_begin, sleep(length).size());
  }

  /// With observers: whether a step that was explored earlier is an initial of the current sequence, or commutes with
  /// all of it.
  bool redundant() {
    const auto asleep = sleep(size() - 1);
    const auto states = overtaken(size() - 1);
    for (std::size_t i = 0; i < asleep.size(); ++i)
      if (is_weak_initial_observed(asleep[i], {&nodes_.back().current, 1}, messages_, states[i])) return true;
    return false;
  }

  /// Goes one step further: sleep(E.p) = { q in sleep(E) : q independent of p }.
  void push(const LabelledStep& step, WakeupTrees::Index planned = WakeupTrees::kNoNode) {
    const auto begin = static_cast<std::uint32_t>(sleep_.size());
    const auto messages = static_cast<std::uint32_t>(messages_.size());
    if (!nodes_.empty()) {
      const LabelledStep taken = nodes_.back().current;
      for (std::uint32_t i = nodes_.back().sleep_begin; i < begin; ++i) {
        if (observers_) {
          Overtaken state = overtaken_[i];
          if (!remains_weak_initial(sleep_[i], state, taken, messages_)) continue;
          overtaken_.push_back(state);
        } else if (sleep_[i].step.process == taken.step.process || dependent(sleep_[i].operation, taken.operation)) {
          continue;
        }
        sleep_.push_back(LabelledStep(sleep_[i]));
      }
    }
    nodes_.push_back({step, begin, planned, 0, 0, messages});
    count_switches();
  }
  void pop() {
    sleep_.resize(nodes_.back().sleep_begin);
    if (observers_) overtaken_.resize(sleep_.size());
    messages_.truncate(nodes_.back().messages);
    nodes_.pop_back();
  }
  /// The deepest node is done with its current step and goes on with another.
  void replace(const LabelledStep& step) {
    add_done(nodes_.back().current);
    nodes_.back().current = step;
    count_switches();
  }

  /// With observers: what the states of overtaken() refer to.
  OvertakingMessages& messages() { return messages_; }

  WakeupTrees trees;

 private:
  void add_done(const LabelledStep& step) {
    sleep_.push_back(LabelledStep(step));
    if (observers_) overtaken_.emplace_back();
    ++nodes_.back().explored;
  }
  void count_switches() {
    Node& last = nodes_.back();
    if (nodes_.size() == 1) return;
    const Node& before = nodes_[nodes_.size() - 2];
    last.switches = before.switches + (before.current.step.process != last.current.step.process ? 1 : 0);
  }

  bool observers_;
  std::vector<Node> nodes_;
  std::vector<LabelledStep> sleep_;   // of all nodes, one after the other
  std::vector<Overtaken> overtaken_;  // beside sleep_, with observers only
  OvertakingMessages messages_;
};

}  // namespace mazurka::dpor

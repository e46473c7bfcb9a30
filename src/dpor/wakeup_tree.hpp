// Wakeup trees (Def. 4 of *Optimal DPOR with Observers*; J. ACM 2017, Def. 6.1): sequences of steps still to be
// explored after a prefix E, as an ordered tree whose leaves are the sequences. The trees of all prefixes share an
// arena.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/step.hpp"

namespace mazurka::dpor {

class OvertakingMessages;

/// A step together with what it does: enough to decide dependence. The same data puts a step to sleep.
using LabelledStep = Sleeper;

/// Whether p is a weak initial of v (Def. 2): after E, some execution that starts with v is equivalent to one that
/// starts with p. So p's first step in v commutes with all before it; or p does not occur in v and commutes with all of
/// it.
bool is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v);

/// Whether step i of v is an initial of v: it commutes with all steps before it.
bool is_initial(std::span<const LabelledStep> v, std::size_t i);

/// Which initial of a reversal Source-DPOR plans: the one nearest to the step that the reversal is about, which blocks
/// far fewer executions, or the first, as the tools do whose numbers are published.
enum class Initial { Last, First };

/// The initial of v to plan for Source-DPOR: none where one is known already, as `is_known` says of a step.
template <typename IsKnown>
const LabelledStep* initial_to_plan(const std::vector<LabelledStep>& v, Initial initial, const IsKnown& is_known) {
  const LabelledStep* chosen = nullptr;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!is_initial(v, i)) continue;
    if (is_known(v[i].step)) return nullptr;
    if (chosen == nullptr || initial == Initial::Last) chosen = &v[i];
  }
  return chosen;
}

/// What became of a sequence that was to be planned.
enum class Planned {
  Settled,  ///< whatever execution starts with the sequence will be explored, or has been
  Open,     ///< some execution that starts with the sequence will be explored or has been; others perhaps not
};

/// A step of a wakeup tree as a list of its steps, each before what follows it.
struct SequenceStep {
  std::uint32_t depth = 0;  ///< how many steps of the sequence come before it
  LabelledStep step;
};

class WakeupTrees {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNoNode = UINT32_MAX;

  struct Node {
    LabelledStep step;
    Index child = kNoNode;    ///< the first; children stand in the order in which they will be explored
    Index sibling = kNoNode;  ///< the next
  };

  const Node& operator[](Index index) const { return nodes_[index]; }

  /// Def. 4's insert below the node whose first child is `children`: unless some leaf is already a possible way to
  /// start an execution equivalent to one that starts with v, adds what is needed of v as a new leaf after all others.
  Planned insert(Index& children, std::vector<LabelledStep>& v);
  /// The same where the order of two stores or deliveries may depend on a later step (observers.cpp).
  Planned insert_observed(Index& children, std::vector<LabelledStep>& v, OvertakingMessages& messages);

  /// Source-DPOR: adds one initial of v as the last child, unless one is a child already.
  Planned insert_initial(Index& children, const std::vector<LabelledStep>& v, Initial initial);

  /// v \ p, for a weak initial p of v: what is left of v below p. Settled if whatever starts with v also starts so;
  /// Open if it need not: p is not in v, or with observers overtakes a store there.
  static Planned go_below(const LabelledStep& p, std::vector<LabelledStep>& v, bool observers);

  /// Adds one step as the last child of `parent`, or of the root with these children if that is kNoNode.
  Index append(Index& children, Index parent, const LabelledStep& step);
  /// Takes the first of `children` off the tree. Its own children are left to the caller; the index is free again.
  Node take_first(Index& children);
  /// The sequences below the node whose first child is `children`, and back.
  std::vector<SequenceStep> list(Index children) const;
  Index build(std::span<const SequenceStep> steps);
  /// Forgets all of them.
  void remove(Index children);
  /// Calls `visitor(depth, step)` for each node below the one whose first child is `children`, each before what follows
  /// it.
  template <typename Visitor>
  void visit(Index children, const Visitor& visitor) const {
    std::vector<std::pair<Index, std::uint32_t>> left{{children, 0}};
    while (!left.empty()) {
      const auto [index, depth] = left.back();
      left.pop_back();
      if (index == kNoNode) continue;
      visitor(depth, nodes_[index].step);
      left.emplace_back(nodes_[index].sibling, depth);
      left.emplace_back(nodes_[index].child, depth + 1);
    }
  }
  /// Whether one of `children` is this step.
  bool has(Index children, const Step& step) const {
    while (children != kNoNode && nodes_[children].step.step != step) children = nodes_[children].sibling;
    return children != kNoNode;
  }
  std::uint64_t added() const { return added_; }
  std::size_t size() const { return nodes_.size() - free_count_; }

 private:
  Index make(const LabelledStep& step);
  /// The first child of `parent`, or of the root.
  Index first_child(Index children, Index parent) const { return parent == kNoNode ? children : nodes_[parent].child; }
  /// Takes element `at` out by moving those from `begin` on one place up.
  static void move_up(std::vector<LabelledStep>& v, std::size_t begin, std::size_t at) {
    for (; at > begin; --at) v[at] = v[at - 1];
  }
  /// Where the step is in v, from `begin` on; v.size() if it is not.
  static std::size_t position(const std::vector<LabelledStep>& v, std::size_t begin, const LabelledStep& step) {
    while (begin < v.size() && v[begin].step != step.step) ++begin;
    return begin;
  }
  void add_branch(Index& children, Index parent, std::span<const LabelledStep> steps) {
    for (const LabelledStep& step : steps) parent = append(children, parent, step);
  }

  std::vector<Node> nodes_;
  Index free_ = kNoNode;
  std::size_t free_count_ = 0;
  std::uint64_t added_ = 0;
};

}  // namespace mazurka::dpor

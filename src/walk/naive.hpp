// Exhaustive depth-first search over all interleavings, without any reduction: the yardstick for everything that
// reduces. Exponential; for small systems and for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/executor.hpp"
#include "core/interrupt.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"

namespace mazurka::walk {

struct NaiveOptions {
  std::uint64_t max_executions = UINT64_MAX;
  std::uint64_t max_steps = UINT64_MAX;
};

struct NaiveResult {
  Statistics statistics;
  bool complete = false;  ///< every interleaving was seen, and none was cut by a limit
};

class NaiveSearch {
 public:
  NaiveSearch(Executor& executor, NaiveOptions options) : executor_(executor), options_(options) {}

  /// Calls `visit(execution)` for every maximal interleaving, each exactly once, until it returns false. An execution
  /// that reaches the step limit is visited with Outcome::Stopped. Returns whether all were visited.
  template <typename Visit>
  bool run(Visit&& visit);

 private:
  struct Level {
    std::vector<Step> steps;
    std::size_t next = 0;
  };

  /// Which choices an atomic section makes is known when it has ended: the others come after it.
  void add_siblings(const Execution& execution);
  /// Runs the current prefix without going on: the answer tells what is enabled after it.
  const Execution& look();

  Executor& executor_;
  NaiveOptions options_;
  std::vector<Step> prefix_;
  std::vector<Level> stack_;
};

NaiveResult explore_naive(Executor& executor, const NaiveOptions& options, Listener& listener);

template <typename Visit>
bool NaiveSearch::run(Visit&& visit) {
  prefix_.clear();
  stack_.clear();
  while (!interrupted()) {
    const Execution& execution = look();
    add_siblings(execution);
    if (execution.outcome == Outcome::Stopped && prefix_.size() < options_.max_steps) {
      Level level;
      // Who may be waiting in a loop comes last: the others end it.
      for (const bool waits : {false, true})
        for (const Offer& offer : execution.pending)
          if (offer.enabled && ((offer.operation.flags & kGivesWay) != 0) == waits) level.steps.push_back(offer.step());
      stack_.push_back(std::move(level));
    } else if (!visit(execution)) {
      return false;
    }
    while (!stack_.empty() && stack_.back().next == stack_.back().steps.size()) stack_.pop_back();
    if (stack_.empty()) return true;
    prefix_.resize(stack_.size() - 1);
    prefix_.push_back(stack_.back().steps[stack_.back().next++]);
  }
  return false;
}

}  // namespace mazurka::walk

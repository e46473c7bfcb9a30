// Exhaustive depth-first search over all interleavings, without any reduction: the yardstick for every reduction.
// Exponential; for small systems and for tests.
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
  Bound bound;
};

struct NaiveResult {
  Statistics statistics;
  bool complete = false;  ///< every interleaving was visited, and none was cut by a limit
};

class NaiveSearch {
 public:
  NaiveSearch(Executor& executor, NaiveOptions options) : executor_(executor), options_(options) {
    job_.continuation = Continuation::Stop;
    job_.bound = options.bound;
  }

  /// Calls `visit(execution)` for every maximal interleaving, each exactly once, until it returns false. An execution
  /// that reaches the step limit is visited with Outcome::Stopped. Returns whether all were visited.
  template <typename Visit>
  bool run(Visit&& visit) {
    return run(visit, [](const Execution&) { return true; });
  }
  /// The same, but skips the continuations of prefixes for which `enter(execution)` returns false.
  template <typename Visit, typename Enter>
  bool run(Visit&& visit, Enter&& enter);
  /// To be called from `enter`: ends the search.
  void stop() { stopped_ = true; }
  /// Makes executions report how their last event changed the state.
  void ask_for_deltas() { job_.deltas = true; }

 private:
  struct Level {
    std::vector<Step> steps;
    std::size_t next = 0;
  };

  /// The choices inside an atomic section are known only after it was executed: its siblings are added then.
  void add_siblings(const Execution& execution);

  Executor& executor_;
  NaiveOptions options_;
  Job job_;  ///< the current prefix, to be stopped after: the answer tells what is enabled there
  Execution execution_;
  std::vector<Level> stack_;
  bool stopped_ = false;
};

NaiveResult explore_naive(Executor& executor, const NaiveOptions& options, Listener& listener);

template <typename Visit, typename Enter>
bool NaiveSearch::run(Visit&& visit, Enter&& enter) {
  std::vector<Step>& prefix = job_.prefix;
  prefix.clear();
  stack_.clear();
  while (!interrupted() && !stopped_) {
    job_.deltas_from = prefix.empty() ? 0 : prefix.size() - 1;
    executor_.run(job_, execution_);
    const Execution& execution = execution_;
    add_siblings(execution);
    const bool too_long = execution.outcome == Outcome::Stopped && prefix.size() >= options_.max_steps;
    if (too_long) execution_.stopped_by |= kStoppedByLength;
    if (execution.outcome == Outcome::Stopped && !too_long) {
      Level level;
      const bool goes_on = enter(execution);
      // Processes that may be waiting in a loop come last: the others end their wait.
      for (const bool waits : {false, true})
        for (const Offer& offer : execution.pending)
          if (goes_on && offer.enabled && !offer.stopped && ((offer.operation.flags & kGivesWay) != 0) == waits)
            level.steps.push_back(offer.step());
      stack_.push_back(std::move(level));
    } else if (!visit(execution)) {
      return false;
    }
    while (!stack_.empty() && stack_.back().next == stack_.back().steps.size()) stack_.pop_back();
    if (stack_.empty()) return true;
    prefix.resize(stack_.size() - 1);
    prefix.push_back(stack_.back().steps[stack_.back().next++]);
  }
  return false;
}

}  // namespace mazurka::walk

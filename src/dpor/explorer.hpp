// The loop that the DPOR algorithms share: run an execution to its end, see what could have happened otherwise, plan
// it, go back to the deepest prefix with something planned. What an algorithm does with a reversal is all that tells it
// from the others: source.cpp, optimal.cpp, observers.cpp.
//
// An explorer explores all that comes after a prefix, then takes another one from the frontier, until nothing is left.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"
#include "dpor/awaited.hpp"
#include "dpor/coordinator.hpp"
#include "dpor/estimate.hpp"
#include "dpor/explore.hpp"
#include "dpor/reversals.hpp"
#include "dpor/search_path.hpp"

namespace mazurka::dpor {

/// Whether a reversal v, after the prefix of length v.at, need not be planned because of what was explored there
/// before, or is: then, what became of it.
std::optional<Planned> redundant_for_source(const SearchPath& path, const Reversal& v);
std::optional<Planned> redundant_for_optimal(const SearchPath& path, Reversal& v);
std::optional<Planned> redundant_for_observers(SearchPath& path, Reversal& v);

class Explorer {
 public:
  /// `awaited`: what was known when the search began; `before`: what this explorer has counted in it already. \pre All
  /// outlive it.
  Explorer(Executor& executor, const Options& options, const Awaited& awaited, const Counted& before,
           Coordinator& coordinator, Listener& listener);

  /// Explores until nothing is left to do, or the search is to stop.
  void run();
  const Result& result() const { return result_; }

 private:
  /// Takes a prefix to explore everything after. False where there is none any more.
  bool take_subtree();
  /// False where the search must stop.
  bool explore_subtree();
  void finish_subtree();
  /// Hands over everything but the next execution, and waits until all explorers have, so that the search can be kept.
  void rest();
  Counted counted() const { return {result_.statistics, result_.skipped}; }

  /// Runs the current prefix to the end, and tells the listener. False where the search must stop.
  bool execute();
  /// Makes nodes for the new part of the execution.
  void extend_path();
  /// Gives others something to do.
  void hand_over();
  /// Plans what could have happened otherwise, all of it unless the search must stop: then it returns false.
  bool plan_reversals();
  Planned plan(Reversal& v);
  std::optional<Planned> redundant(Reversal& v);
  Planned insert(Reversal& v);
  void run_job();
  bool account_for(const Execution& execution);
  /// Goes back to the deepest node with something planned after a prefix at least this long, and follows its first
  /// sequence to its leaf. False where there is none.
  bool backtrack(std::size_t length);
  /// The same for all prefixes, where submit_next() has not done it.
  bool backtrack() { return submitted_ || backtrack(0); }
  void make_job();
  void submit_next(std::size_t length);
  bool follow_first_planned();
  bool must_stop() const;

  Executor& executor_;
  Coordinator& coordinator_;
  Listener& listener_;
  const Options& options_;
  std::size_t version_;  ///< of the executor
  Awaited awaited_;
  std::size_t root_ = 0;   ///< the length of the prefix it has taken: what is after shorter ones is not its own
  bool is_fresh_ = false;  ///< no execution has taken its prefix
  SearchPath path_;
  ReversalFinder finder_;
  Estimator estimator_;
  Execution execution_;
  Job job_;                             ///< the next one; its prefix grows and shrinks with the path
  std::optional<JobHandle> submitted_;  ///< of that job, where it was submitted early
  std::size_t known_ = 0;               ///< events that the current execution shares with the one before it
  struct {
    std::uint64_t executing = 0;
    std::uint64_t finding = 0;
    std::uint64_t planning = 0;  ///< while finding
  } ticks_;
  Result result_;
};

}  // namespace mazurka::dpor

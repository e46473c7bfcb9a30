// The exploration loop that the DPOR algorithms share: run an execution to its end, see what could have happened
// otherwise, plan it, go back to the deepest prefix with something planned. What an algorithm does with a reversal is
// all that tells it from the others: source.cpp, optimal.cpp, observers.cpp.
//
// Papers: Abdulla, Aronis, Jonsson, Sagonas: *Source Sets* (J. ACM 2017); Aronis, Jonsson, Lång, Sagonas: *Optimal
// Dynamic Partial Order Reduction with Observers* (TACAS 2018).
//
// Where we deviate: races are found as conflicting extensions of complete executions (reversals.hpp), so that blocking
// operations and choices are first-class; steps are (process, alternative).
#pragma once

#include <cstdint>
#include <optional>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"
#include "dpor/awaited.hpp"
#include "dpor/estimate.hpp"
#include "dpor/reversals.hpp"
#include "dpor/search_path.hpp"

namespace mazurka::dpor {

enum class Algorithm { Source, Optimal, Observers };

/// Which initial of a reversal Source-DPOR plans: the one nearest to the step that the reversal is about, which blocks
/// far fewer executions, or the first, as the tools do whose numbers are published.
enum class Initial { Last, First };

struct Options {
  Algorithm algorithm = Algorithm::Optimal;
  Initial initial = Initial::Last;
  std::uint64_t max_executions = UINT64_MAX;  ///< blocked and cut ones count too
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound;  ///< of each process
  /// Nothing is planned whose prefix has more changes of process than this.
  std::uint32_t max_context_switches = UINT32_MAX;
};

/// Where the time went.
struct Seconds {
  double executor = 0;   ///< waiting for the system
  double races = 0;      ///< seeing what could have happened otherwise, without what follows
  double probes = 0;     ///< asking the executor whether it could have
  double insertion = 0;  ///< planning it
};

struct Result {
  Statistics statistics;
  std::uint64_t races = 0;    ///< pairs looked at
  std::uint64_t probes = 0;   ///< runs that only asked whether a step is possible
  std::uint64_t planned = 0;  ///< nodes added to wakeup trees
  std::uint64_t skipped = 0;  ///< sequences left out because of their context switches
  Seconds seconds;
  bool complete = false;  ///< every class of executions was explored, and none was cut by a limit
};

/// Plan to explore v after the prefix of length v.at, unless that is redundant.
Planned plan_source(SearchPath& path, Reversal& v, Initial initial);
Planned plan_optimal(SearchPath& path, Reversal& v);
Planned plan_observers(SearchPath& path, Reversal& v);

class Exploration {
 public:
  Exploration(Executor& executor, Options options, Awaited awaited = {});

  Result run(Listener& listener);

 private:
  /// Runs the current prefix to the end, and tells the listener. False where the exploration must stop.
  bool execute(Listener& listener);
  /// Makes nodes for the new part of the execution.
  void extend_path();
  /// Plans what could have happened otherwise, all of it unless the exploration must stop: then it returns false.
  bool plan_reversals(Listener& listener);
  Planned plan(Reversal& v);
  void run_job();
  bool account_for(const Execution& execution, Listener& listener);
  /// Goes back to the deepest node with something planned after a prefix at least this long, and follows its first
  /// sequence to its leaf. False where there is none.
  bool backtrack(std::size_t length);
  /// The same for all prefixes, where submit_next() has not done it.
  bool backtrack() { return submitted_ || backtrack(0); }
  void make_job();
  void submit_next(std::size_t length);
  bool follow_first_planned();

  Executor& executor_;
  Options options_;
  std::size_t version_;  ///< of the executor
  Awaited awaited_;
  bool begins_anew_ = false;  ///< since a location is awaited that was not known to be
  SearchPath path_;
  ReversalFinder finder_;
  Estimator estimator_;
  Execution execution_;
  Job job_;                             ///< the next one; its prefix grows and shrinks with the path
  std::optional<JobHandle> submitted_;  ///< of that job, where it was submitted early
  std::size_t known_ = 0;               ///< events that the current execution shares with the one before it
  std::uint64_t number_ = 0;            ///< of executions
  struct {
    std::uint64_t executing = 0;
    std::uint64_t finding = 0;
    std::uint64_t planning = 0;  ///< while finding
  } ticks_;
  Result result_;
};

}  // namespace mazurka::dpor

// The exploration loop that the DPOR algorithms share: run executions to their end, see what could have happened
// otherwise, plan it, go on with the longest prefixes after which something is planned. What an algorithm does with a
// reversal is all that tells it from the others: source.cpp, optimal.cpp, observers.cpp.
//
// Papers: Abdulla, Aronis, Jonsson, Sagonas: *Source Sets* (J. ACM 2017); Aronis, Jonsson, Lång, Sagonas: *Optimal
// Dynamic Partial Order Reduction with Observers* (TACAS 2018).
//
// Where we deviate: races are found as conflicting extensions of complete executions (reversals.hpp), so that blocking
// operations and choices are first-class; steps are (process, alternative). And what is planned is not explored one
// after the other, but several sequences at once: a change of process then serves many executions (search_tree.hpp).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"
#include "dpor/histories.hpp"
#include "dpor/search_tree.hpp"

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
  std::size_t batch = 8;      ///< executions asked for at once, at most
  std::uint64_t shuffle = 0;  ///< if not 0: they are looked at in a random order, which makes no difference
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
  std::vector<Statistics> explorers;  ///< what each of them counted
  bool complete = false;              ///< every class of executions was explored, and none was cut by a limit
};

/// Plan to explore v after the prefix E of this node, unless that is redundant. What sleeps there from `younger` on are
/// children that were begun after the one below which v was found.
Planned plan_source(SearchTree& tree, SearchTree::Index node, Reversal& v, Initial initial);
Planned plan_optimal(SearchTree& tree, SearchTree::Index node, std::size_t younger, Reversal& v);
Planned plan_observers(SearchTree& tree, SearchTree::Index node, std::size_t younger, Reversal& v);

/// One exploration, by one explorer for each executor. With several, each explorer is a thread.
class Exploration {
 public:
  Exploration(Executor& executor, const Options& options) : Exploration(std::vector{&executor}, options) {}
  /// \pre They are executors of one system, and outlive it.
  Exploration(std::vector<Executor*> executors, const Options& options)
      : executors_(std::move(executors)), options_(options) {}

  Result run(Listener& listener);

 private:
  std::vector<Executor*> executors_;
  Options options_;
};

}  // namespace mazurka::dpor

// Source-DPOR and Optimal-DPOR, with and without observers, by one explorer or several.
//
// Papers: Abdulla, Aronis, Jonsson, Sagonas: *Source Sets* (J. ACM 2017); Aronis, Jonsson, Lång, Sagonas: *Optimal
// Dynamic Partial Order Reduction with Observers* (TACAS 2018).
//
// Where we deviate: races are found as conflicting extensions of complete executions (reversals.hpp), so that blocking
// operations and choices are first-class; steps are (process, alternative); and several children of a prefix may be
// explored at once (search_tree.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"
#include "dpor/frontier.hpp"
#include "dpor/search_state.hpp"

namespace mazurka::dpor {

class Team;

enum class Algorithm { Source, Optimal, Observers };

struct Options {
  Algorithm algorithm = Algorithm::Optimal;
  Initial initial = Initial::Last;
  std::uint64_t max_executions = UINT64_MAX;  ///< blocked and cut ones count too
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound;  ///< of each process
  /// Nothing is planned whose prefix has more changes of process than this.
  std::uint32_t max_context_switches = UINT32_MAX;
  SearchKeeper* keeper = nullptr;     ///< null: the search is not kept
  const SearchState* from = nullptr;  ///< a search to go on with; null: a new one
  Team* team = nullptr;               ///< explorers in other processes; null: there are none
  bool always_hands_over = false;     ///< for tests: whatever can be handed over is, whether somebody waits or not
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
  std::uint64_t races = 0;            ///< pairs looked at
  std::uint64_t probes = 0;           ///< runs that only asked whether a step is possible
  std::uint64_t planned = 0;          ///< nodes added to wakeup trees
  std::uint64_t skipped = 0;          ///< sequences left out because of their context switches
  Seconds seconds;                    ///< of all explorers together
  bool complete = false;              ///< every class of executions was explored, and none was cut by a limit
  std::vector<Statistics> explorers;  ///< what each of them counted
};

/// \pre The executors are of one system. There is an explorer for each of them, in a thread of its own if there are
/// several.
Result explore(const std::vector<Executor*>& executors, const Options& options, Listener& listener);
/// By one explorer.
Result explore(Executor& executor, const Options& options, Listener& listener);

}  // namespace mazurka::dpor

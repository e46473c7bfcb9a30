// Explore(C, D, A): Alg. 1 of *Quasi-Optimal POR* (Rodríguez, Sousa, Sharma, Kroening: CONCUR 2015; Nguyen, Rodríguez,
// Sousa, Coti, Petrucci: CAV 2018).
//
// Where we deviate:
// * The recursion is a loop over the current branch, a sequence of events e1 e2 …; C is what is on the branch.
// * ex(C) is added once for all configurations of a branch, at its end: an extension of a configuration is one of the
//   maximal configurations that contain it, or inside it.
// * The way from A to the end of a branch is one run of the executor, which avoids the events of D as sleeping steps.
// * Of D only the events that are enabled at C are kept at a node: the others are in conflict with C and stay so. They
//   are the sleep set of the node.
// * Line 13 has two parts. At every return, the events that are needed no longer cease to be candidates
// (candidates.hpp).
//   Their memory is given back from time to time, when U has doubled.
// * With cutoffs (cutoffs.hpp; §5.2 of *Unfolding-based POR*) an execution counts up to the first event that is one. It
//   is run again with that event asleep as long as there are others. What an alternative begins with may turn out to be
//   a cutoff too; then another one is looked for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/executor.hpp"
#include "core/hangs.hpp"
#include "core/listener.hpp"
#include "core/poll.hpp"
#include "core/statistics.hpp"
#include "unfolding/alternatives.hpp"
#include "unfolding/candidates.hpp"
#include "unfolding/configuration.hpp"
#include "unfolding/cutoffs.hpp"
#include "unfolding/event_structure.hpp"
#include "unfolding/extensions.hpp"

namespace mazurka::unfolding {

struct Options {
  std::size_t alternatives = Alternatives::kOptimal;  ///< k
  bool keep_events = false;                           ///< no clean-up of U
  std::uint64_t max_executions = UINT64_MAX;          ///< blocked and cut ones count too
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound;                         ///< of each process
  bool cutoffs = false;                ///< nothing is explored beyond an event whose state is reached otherwise
  bool all_deltas = false;             ///< then: executions say of all events what they changed, and all are compared
  CutoffOptions states;                ///< then: which states are remembered, and how
  std::size_t clean_up_at = 1U << 12;  ///< events in U from which on it is cleaned up
};

struct Result {
  Statistics statistics;
  bool complete = false;  ///< every maximal configuration, or every state, was visited, and none was cut by a limit
  std::uint64_t events_added = 0;
  std::uint64_t peak_events = 0;
  /// With keep_events: the distinct ends of processes that are no steps of their own, as that of a main function by
  /// pthread_exit. *Quasi-Optimal POR* counts these as events, and one more for the beginning of main.
  std::uint64_t silent_ends = 0;
  std::uint64_t clean_ups = 0;
  std::uint64_t probes = 0;  ///< runs that only asked whether a step is possible
  CombStatistics comb;
  CutoffStatistics cutoffs;
  Distances causality_distances{};
  Distances conflict_distances{};
  double seconds_executing = 0;
  double seconds_adding = 0;     ///< the events of executions
  double seconds_extending = 0;  ///< the conflicting extensions, including probes
  double seconds_alternatives = 0;
};

class Exploration {
 public:
  Exploration(Executor& executor, Options options);

  Result run(Listener& listener);

  /// U, after the exploration.
  const EventStructure& events() const { return events_; }

 private:
  /// One exploration, with what is known of states.
  Result explore(Listener& listener);
  /// Extends the branch to a maximal configuration, or to one where all that is enabled is in D.
  void execute();
  bool follows_branch() const;
  /// Puts the events of the execution behind the branch, all of them unless one is a cutoff: then it returns false;
  /// or the poll says to stop.
  bool add_events();
  /// Judges the events of the branch, which have been executed now. False where the alternative that it ends with has a
  /// cutoff: then that has been taken back.
  bool judge_branch();
  /// Whether the event that happened at this place is a cutoff.
  bool is_cutoff(EventId e, std::size_t place);
  /// Where an event has changed something else than it did before: says so of the execution.
  void report_varying_state();
  /// Whether the execution must be run again, or further, because of cutoffs.
  bool must_go_on();
  /// Whether it ends, since only cutoffs could follow, where everybody waits in a loop for ever: then `hang_` does too.
  bool ends_in_hang();
  /// Adds ex(C) to U, all of it unless the poll says to stop.
  void add_extensions();
  /// The event that the process does at the end of C.
  EventId event_at_end(const Event& happened);
  /// Where resources have become coarser, everything that is found by resource is to be found anew.
  void follow_resources();
  /// Returns to the deepest node that has an alternative and takes it. False where there is none.
  bool backtrack();
  /// Takes an alternative at the last node of the branch; leaves the node for good where there is none.
  bool take_alternative();
  /// Makes an event a candidate for alternatives. It is in C at this place, or in conflict with what is there.
  void add_candidate(EventId e, std::size_t place);
  void clean_up();
  void count_silent_ends();
  void push(EventId e);

  Executor& executor_;
  Options options_;
  std::size_t version_ = executor_.version();
  Poll poll_;
  EventStructure events_;
  Configuration c_;
  Candidates candidates_;
  Extensions extensions_;
  Cutoffs cutoffs_;
  Alternatives alternatives_;
  std::vector<std::vector<EventId>> sleep_;  // of D at each node of the branch, what is enabled; the last is at the end
  std::vector<std::vector<EventId>> cut_;    // the cutoffs that are enabled at each node
  struct Done {
    EventId event;
    std::size_t node;
  };
  std::vector<Done> done_;  // D: the events added to it and where, by node
  std::size_t known_ = 0;   // events of the branch whose extensions are in U
  std::size_t clean_up_at_ = 0;
  unsigned label_version_ = 0;
  static constexpr std::uint32_t kFirstLargest = 8;
  bool finished_ = false;
  static constexpr std::uint64_t kFirstSteps = 64;
  Hangs hangs_;
  Execution hang_;
  bool only_cutoffs_ = false;               // could follow the last execution
  bool further_ = false;                    // with cutoffs: the last execution is run again, or further
  std::optional<std::size_t> varies_at_;    // where an event of the execution changed something else than before
  std::uint64_t more_steps_ = kFirstSteps;  // with cutoffs: how far an execution goes beyond the branch
  Job job_;
  Execution execution_;
  std::vector<EventId> causes_;
  std::vector<EventId> way_;  // of an alternative, backwards
  std::vector<char> ends_;    // per event: its process ends after it
  struct {
    std::uint64_t executing = 0;
    std::uint64_t adding = 0;
    std::uint64_t extending = 0;
    std::uint64_t alternatives = 0;
  } ticks_;
  Result result_;
};

}  // namespace mazurka::unfolding

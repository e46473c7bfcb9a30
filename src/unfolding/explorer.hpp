// Explore(C, D, A): Alg. 1 of *Quasi-Optimal POR* (Rodríguez, Sousa, Sharma, Kroening: CONCUR 2015; Nguyen, Rodríguez,
// Sousa, Coti, Petrucci: CAV 2018).
//
// Where we deviate:
// * The recursion is a loop over the current branch, a sequence of events e1 e2 …; C is the set of events on the
//   branch.
// * ex(C) is computed once per branch, at its end: an extension of a configuration is an extension of every maximal
//   configuration that contains it, or an event of it.
// * One run of the executor leads from A to the end of a branch. It avoids the events of D as its sleep set.
// * Each node stores only the events of D that are enabled at C: the others are in conflict with C and stay so. They
//   are
//   the sleep set of the node.
// * Line 13 has two parts. Whenever the exploration backtracks, events that are no longer needed cease to be candidates
//   (candidates.hpp). Their memory is reclaimed occasionally, when U has doubled.
// * With cutoffs (cutoffs.hpp; §5.2 of *Unfolding-based POR*) an execution counts up to its first cutoff. It is rerun
//   with that event asleep while other events are enabled. If an event of an alternative turns out to be a cutoff,
//   another alternative is searched for.
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
  bool keep_events = false;                           ///< never remove events from U
  std::uint64_t max_executions = UINT64_MAX;          ///< including blocked and cut ones
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound;              ///< per process
  bool cutoffs = false;     ///< explore nothing beyond a cutoff event
  bool all_deltas = false;  ///< with cutoffs: executions report the changes by all events, and all of them are compared
  CutoffOptions states;     ///< with cutoffs: which states to remember, and how
  std::size_t clean_up_at = 1U << 12;  ///< size of U from which on events are removed
};

struct Result {
  Statistics statistics;
  bool complete = false;  ///< every maximal configuration (with cutoffs: every state) was visited, and no limit cut one
  std::uint64_t events_added = 0;
  std::uint64_t peak_events = 0;
  /// With keep_events: the distinct terminations of processes that are not events, as that of main by pthread_exit.
  /// *Quasi-Optimal POR* counts these as events, and one more for the start of main.
  std::uint64_t silent_ends = 0;
  std::uint64_t clean_ups = 0;
  std::uint64_t probes = 0;  ///< runs of the executor that only asked what is enabled
  CombStatistics comb;
  CutoffStatistics cutoffs;
  Distances causality_distances{};
  Distances conflict_distances{};
  double seconds_executing = 0;
  double seconds_adding = 0;     ///< adding the events of executions
  double seconds_extending = 0;  ///< computing the conflicting extensions, including probes
  double seconds_alternatives = 0;
};

class Explorer {
 public:
  Explorer(Executor& executor, Options options);

  Result run(Listener& listener);

  /// U, after the exploration.
  const EventStructure& events() const { return events_; }

 private:
  /// An event of D, and the node at which it was added.
  struct Done {
    EventId event;
    std::size_t node;
    std::size_t rival = 0;  ///< where in C an event in conflict with it was found last
  };

  /// One exploration, starting with what cutoffs_ knows about states.
  Result explore(Listener& listener);
  /// Extends the branch to a maximal configuration, or to one at which all enabled events are in D.
  void execute();
  bool follows_branch() const;
  /// Appends the events of the execution to the branch. Returns false at the first cutoff. Incomplete if the poll was
  /// stopped.
  bool add_events();
  /// Judges the events of the branch, once they were executed. If one of the last alternative is a cutoff, removes that
  /// alternative from the branch and returns false.
  bool judge_branch();
  /// Whether e, the event at index `place` of the execution, is left out: a cutoff, or a failing step.
  bool is_cutoff(EventId e, std::size_t place);
  /// Reports that an event did not change the state as it did before.
  void report_varying_state();
  /// Whether cutoffs require another run of the execution, or a longer one.
  bool must_go_on();
  /// Whether the execution ends, because only cutoffs could follow, in a hang: all processes wait in loops forever. If
  /// so, `hang_` is an execution that ends there.
  bool ends_in_hang();
  /// Adds ex(C) to U. Incomplete if the poll was stopped.
  void add_extensions();
  /// The event of U for a step executed after C.
  EventId event_at_end(const Event& happened);
  /// Rebuilds everything that is indexed by resource, if resources have become coarser.
  void follow_resources();
  /// Returns to the deepest node that has an alternative, and takes it. Returns false if there is none.
  bool backtrack();
  /// Takes an alternative at the last node of the branch; if there is none, leaves the node for good and returns false.
  bool take_alternative();
  /// Makes an event a candidate for alternatives. It is the event of C at index `place`, or in conflict with that
  /// event.
  void add_candidate(EventId e, std::size_t place);
  /// Whether a cause of e, an extension of C, is in conflict with d: then e is in conflict with it too, but not in
  /// immediate conflict, and need not be held because of it.
  bool inherits_conflict(EventId e, Done& d);
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
  std::vector<std::vector<EventId>>
      sleep_;  // per node of the branch: the events of D enabled there; the last is the end of the branch
  std::vector<std::vector<EventId>> cut_;  // per node: the cutoffs enabled there
  std::vector<Done> done_;                 // D: its events, and the node at which each was added
  std::size_t known_ = 0;                  // leading events of the branch whose extensions are in U
  std::size_t clean_up_at_ = 0;
  unsigned label_version_ = 0;
  static constexpr std::uint32_t kFirstLargest = 8;
  bool finished_ = false;
  static constexpr std::uint64_t kFirstSteps = 64;
  Hangs hangs_;
  Execution hang_;
  bool failed_ = false;                     // with cutoffs: the last execution ended in a failing step not seen before
  bool only_cutoffs_ = false;               // only cutoffs are enabled after the last execution
  bool further_ = false;                    // with cutoffs: the last execution must be rerun, or run further
  std::optional<std::size_t> varies_at_;    // index of an event that did not change the state as before
  std::uint64_t more_steps_ = kFirstSteps;  // with cutoffs: how many steps to run beyond the branch
  Job job_;
  Execution execution_;
  std::vector<EventId> causes_;
  std::vector<EventId> way_;  // the events of an alternative, last first
  std::vector<char> ends_;    // per event: its process terminates after it
  struct {
    std::uint64_t executing = 0;
    std::uint64_t adding = 0;
    std::uint64_t extending = 0;
    std::uint64_t alternatives = 0;
  } ticks_;
  Result result_;
};

}  // namespace mazurka::unfolding

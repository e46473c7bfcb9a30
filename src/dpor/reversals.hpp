// Which executions to look at next: every way in which one step of an execution could have happened in another place.
//
// Source and Optimal DPOR speak of reversible races: events e, f of an execution such that f could have happened before
// e. With blocking operations and choices that is not enough, because what could have happened may not occur in the
// execution at all: the acquisition of a lock that it never grants, an edge of an automaton that it did not take. So we
// look for conflicting extensions instead (*Quasi-Optimal POR*, §2.3): a step f of a process p with a history H inside
// the execution, where H does not contain what p did next. A race is the special case in which f is what p did next and
// H ends where e begins.
//
// A candidate is given by the place of p in the execution, the operation it offers there, and an interfering event e
// that must stay away (or none). H is what remains of the execution without e, without p's own next event, and without
// their consequences. docs/dpor.md argues which candidates are enough.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/executor.hpp"
#include "core/happens_before.hpp"
#include "core/poll.hpp"
#include "dpor/observed.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// A sequence v that can be run after the first `at` events of the execution, and is not how the execution went on.
struct Reversal {
  std::size_t at = 0;
  std::vector<LabelledStep> sequence;
  /// From whoever plans it: a sleeping step that makes the sequence redundant, by commuting with all of it.
  std::optional<LabelledStep> redundant_by;
};

class ReversalFinder {
 public:
  /// Whether the order of stores counts always, or only where it is observed.
  enum class Stores { Ordered, Observed };
  /// Plans a reversal. It may change the sequence as it likes.
  using Visit = std::function<Planned(Reversal&)>;
  /// Whether to go on; asked now and then, since a long execution has many races.
  using GoOn = Poll::GoOn;
  /// Told that all reversals after prefixes of this length or longer have been visited, where others are still to come.
  using Reached = std::function<void(std::size_t)>;

  ReversalFinder(Executor& executor, Stores stores, Visit visit, Reached reached)
      : executor_(executor),
        observed_(stores == Stores::Observed),
        visit_(std::move(visit)),
        reached_(std::move(reached)) {}

  /// Visits the reversals of `execution`, those after long prefixes first, but for those that were settled in an
  /// earlier execution with the same first `known` events. May run the executor, so `execution` must be the caller's
  /// own copy. Returns false where `go_on` ended it early.
  bool find(const Execution& execution, std::size_t known, const GoOn& go_on);

  /// An execution that `find` could not repeat in part: the system is nondeterministic.
  const std::optional<Execution>& diverged() const { return diverged_; }

  std::uint64_t races() const { return races_; }
  std::uint64_t probes() const { return probes_; }
  std::uint64_t probe_ticks() const { return probe_ticks_; }

 private:
  static constexpr EventIndex kNone = UINT32_MAX;

  /// A process at a point of the execution, and an operation it offers there.
  struct Target {
    ProcessIndex process;
    EventIndex last;  ///< its last event so far, kNone if it has none
    EventIndex next;  ///< what it did next in the execution, kNone if nothing
    const Operation* operation;
    std::uint32_t alternative;
    bool taken;  ///< it is what `next` did
  };
  /// A race, or with kNone an alternative of a choice, that was not settled yet: more of the execution may say more.
  struct Open {
    EventIndex first;
    EventIndex second;
    std::uint32_t alternative;
    EventIndex observer;                       ///< of two stores that a later event orders, else kNone
    std::optional<LabelledStep> redundant_by;  ///< with what came before `second`
  };

  /// A reversal to look for. All that is known of it beforehand is after which prefix it would come.
  struct Task {
    enum class Kind : std::uint8_t { Race, Stores, Choice, Other, Again, StoresAgain } kind;
    Target target;
    EventIndex avoided;
    EventIndex observer;  ///< of two stores
    std::uint32_t next;   ///< task after the same prefix

    EventIndex at() const { return avoided < target.next ? avoided : target.next; }
  };

  Target taken(EventIndex event) const;
  void add_task(Task::Kind kind, const Target& target, EventIndex avoided, EventIndex observer = kNone);
  void add_races(const Target& target);
  void perform_tasks();
  void perform(const Task& task);
  void races_of(EventIndex event);
  bool races_with_nothing(OperationKind kind, std::span<const ObjectChains::ChainIndex> chains) const;
  void others(EventIndex event, std::size_t known);
  void race(const Target& target, EventIndex avoided);
  void keep_open(const Target& target, EventIndex avoided, EventIndex observer = kNone);
  bool still_redundant(const Open& open) const;
  bool possible_race(const Target& target, EventIndex event) const;
  void collect(const Operation& operation, std::span<const ObjectChains::ChainIndex> chains, std::size_t end);
  Planned choose(const Target& target, std::size_t end);

  Planned candidate(const Target& target, EventIndex avoided, std::size_t end);
  Planned probe(const Target& target, std::size_t end);
  Planned run_section(const Target& target);
  Planned run_all_alternatives(const Target& target, std::size_t end);
  const Execution* ask(std::span<const LabelledStep> steps, const Step* then = nullptr);
  bool run_last(std::span<const LabelledStep> steps, Step section, LabelledStep& label);
  bool drop_remaining_readers(const Target& target, std::size_t end);
  void build_history(std::size_t end);
  bool happens_anyway(const Target& target, EventIndex avoided) const;
  Planned emit(const Target& target, const Operation& operation, std::uint32_t alternative);
  void add_observed_races(EventIndex second, EventIndex observer);
  Planned observed_race(const Task& task, std::size_t end);

  /// Whether there is no point in going on.
  bool over() const { return poll_.stopped() || diverged_.has_value(); }
  bool follows(EventIndex event, EventIndex from) const { return event == from || order_.before(from, event); }

  Executor& executor_;
  bool observed_;
  Visit visit_;
  Reached reached_;
  const Execution* execution_ = nullptr;
  HappensBefore order_;
  Observations observations_;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> first_task_;  // after each prefix
  bool in_order_ = true;                   // no task was performed before its turn
  std::vector<Open> open_;
  EventIndex fatal_ = kNone;           // made the execution fail: nothing can come after it
  std::vector<EventIndex> excluded_;   // from H, with their consequences
  std::vector<EventIndex> inside_;     // H from `at` on, as reversal_.sequence has it
  std::vector<EventIndex> collected_;  // events that may interfere with a target
  std::vector<EventIndex> observers_;
  std::vector<Step> prefix_;
  std::vector<Offer> offered_;
  ObjectChains::Set set_;
  Reversal reversal_;
  std::optional<Execution> diverged_;
  std::uint64_t races_ = 0;
  std::uint64_t probes_ = 0;
  std::uint64_t probe_ticks_ = 0;
  Poll poll_;
};

}  // namespace mazurka::dpor

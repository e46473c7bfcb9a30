// Which executions to explore next: every way in which one step of an execution could have happened at another point.
//
// Source and Optimal DPOR speak of reversible races: events e, f of an execution such that f could have happened before
// e. With blocking operations and choices that is not enough, because the other step may not occur in the execution at
// all: the acquisition of a lock that is never granted, an edge of an automaton that was not taken. So we look for
// conflicting extensions instead (*Quasi-Optimal POR*, §2.3): a step f of a process p with a history H inside the
// execution, where H does not contain what p did next. A race is the special case in which f is what p did next and H
// ends where e begins.
//
// Three parts do the work: races.hpp finds candidates, tasks.hpp orders them, histories.hpp builds H and decides
// whether f is enabled after it. This class decides what to remember of a candidate for executions with the same
// prefix.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/executor.hpp"
#include "core/poll.hpp"
#include "core/prober.hpp"
#include "dpor/histories.hpp"
#include "dpor/races.hpp"
#include "dpor/tasks.hpp"
#include "dpor/trace.hpp"

namespace mazurka::dpor {

class ReversalFinder {
 public:
  /// `visit` plans a reversal. `reached(n)` is called once all reversals after prefixes of length n or more have been
  /// visited, if others remain.
  ReversalFinder(Executor& executor, Trace::Stores stores, Histories::Visit visit, TaskQueue::Reached reached)
      : trace_(stores),
        prober_(executor, poll_),
        histories_(trace_, prober_, poll_, std::move(visit)),
        queue_(
            poll_, [this](const Task& task) { perform(task); }, std::move(reached)),
        race_finder_(trace_, queue_, poll_) {}

  /// Visits the reversals of `execution`, those after long prefixes first, except those settled in an earlier execution
  /// with the same first `known` events. Returns false if `go_on`, which is polled, or a divergence ended it early.
  bool find(const Execution& execution, std::size_t known, const Poll::GoOn& go_on);

  /// What became of insertions that were answered late, from this ticket on. \see Coordinator::insert
  void learn(Ticket first, std::span<const Planned> answers);

  /// An execution that `find` could not replay: the system is nondeterministic.
  const std::optional<Execution>& diverged() const { return prober_.diverged(); }

  std::uint64_t races() const { return races_; }
  std::uint64_t probes() const { return prober_.count(); }
  std::uint64_t probe_ticks() const { return prober_.ticks(); }

 private:
  /// A race (or, with kNoEvent, an alternative of a choice) that is not settled yet: later events may decide it.
  struct Open {
    EventIndex first;
    EventIndex second;
    std::uint32_t alternative;
    EventIndex observer;                       ///< of two stores ordered by a later event, else kNoEvent
    std::optional<LabelledStep> redundant_by;  ///< given the events before `second`
    Ticket ticket;                             ///< with this answer it may still be settled; kNoTicket if not
  };

  void look_again_at_open();
  void perform(const Task& task);
  void race(const Target& target, EventIndex avoided);
  /// Remembers a race that is not settled. What is planned for it next, with more of its history, is planned only if
  /// that does not change.
  void keep_open(const Target& target, EventIndex avoided, EventIndex observer = kNoEvent);
  bool still_redundant(const Open& open) const;

  Poll poll_;
  Trace trace_;
  Prober prober_;
  Histories histories_;
  TaskQueue queue_;
  RaceFinder race_finder_;
  std::vector<Open> open_;
  std::uint64_t races_ = 0;
};

}  // namespace mazurka::dpor

// Which executions to look at next: every way in which one step of an execution could have happened in another place.
//
// Source and Optimal DPOR speak of reversible races: events e, f of an execution such that f could have happened before
// e. With blocking operations and choices that is not enough, because what could have happened may not occur in the
// execution at all: the acquisition of a lock that it never grants, an edge of an automaton that it did not take. So we
// look for conflicting extensions instead (*Quasi-Optimal POR*, §2.3): a step f of a process p with a history H inside
// the execution, where H does not contain what p did next. A race is the special case in which f is what p did next and
// H ends where e begins.
//
// Three parts do the work: races.hpp finds candidates, tasks.hpp has the order in which they are looked at,
// histories.hpp builds H and asks whether f is possible after it. What is left here is what to remember of a candidate
// for the executions that begin in the same way.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
  /// `visit` plans a reversal.
  ReversalFinder(Executor& executor, Trace::Stores stores, Histories::Visit visit)
      : trace_(stores),
        prober_(executor, poll_),
        histories_(trace_, prober_, poll_, std::move(visit)),
        queue_(poll_, [this](const Task& task) { perform(task); }),
        race_finder_(trace_, queue_, poll_) {}

  /// Visits the reversals of `execution`, those after long prefixes first, but for those that were settled in an
  /// earlier execution with the same first `known` events. Returns false where `go_on`, which is asked now and then, or
  /// a divergence ended it early.
  bool find(const Execution& execution, std::size_t known, const Poll::GoOn& go_on);

  /// An execution that `find` could not repeat in part: the system is nondeterministic.
  const std::optional<Execution>& diverged() const { return prober_.diverged(); }

  std::uint64_t races() const { return races_; }
  std::uint64_t probes() const { return prober_.count(); }
  std::uint64_t probe_ticks() const { return prober_.ticks(); }

 private:
  /// A race, or with kNoEvent an alternative of a choice, that was not settled yet: more of the execution may say more.
  struct Open {
    EventIndex first;
    EventIndex second;
    std::uint32_t alternative;
    EventIndex observer;                       ///< of two stores that a later event orders, else kNoEvent
    std::optional<LabelledStep> redundant_by;  ///< with what came before `second`
  };

  void look_again_at_open();
  void perform(const Task& task);
  void race(const Target& target, EventIndex avoided);
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

// Which steps of an execution could have happened in another place: the candidates for reversals, found by dependence
// and happens-before alone. Whether such a step is possible there is for histories.hpp to see.
//
// A candidate is given by the place of a process in the execution, the operation it offers there, and an interfering
// event that must stay away (or none). docs/dpor.md argues which candidates are enough.
#pragma once

#include <span>
#include <vector>

#include "core/poll.hpp"
#include "dpor/tasks.hpp"
#include "dpor/trace.hpp"

namespace mazurka::dpor {

class RaceFinder {
 public:
  RaceFinder(Trace& trace, TaskQueue& queue, Poll& poll) : trace_(trace), queue_(queue), poll_(poll) {}

  /// Adds a task for every candidate that was not found in an earlier execution with the same first events, unless the
  /// poll is stopped.
  void find();

 private:
  void races_of(EventIndex event);
  void others(EventIndex event, std::size_t known);
  void add_races(const Target& target);
  void add_observed_races(EventIndex second, EventIndex observer);
  void add_races_of_deliveries(EventIndex receive);
  bool races_with_nothing(OperationKind kind, std::span<const ObjectChains::ChainIndex> chains) const;
  bool possible_race(const Target& target, EventIndex event) const;
  void collect(const Operation& operation, std::span<const ObjectChains::ChainIndex> chains, std::size_t end);

  Trace& trace_;
  TaskQueue& queue_;
  Poll& poll_;
  std::vector<EventIndex> collected_;  // events that may interfere with a target
  ObjectChains::Set set_;
};

}  // namespace mazurka::dpor

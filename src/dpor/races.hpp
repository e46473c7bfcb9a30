// Finds the candidates for reversals: steps that could have happened at another point of the execution, by dependence
// and happens-before alone. histories.hpp decides whether such a step is enabled there.
//
// A candidate is given by a process at a point of the execution, the operation pending there, and a racing event to
// avoid (or none). docs/dpor.md proves which candidates suffice.
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

  /// Adds a task for every candidate, except those found in an earlier execution with the same first events. Incomplete
  /// if the poll was stopped.
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

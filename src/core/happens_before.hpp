// Happens-before of an execution, as vector clocks that grow event by event, so that executions with a common prefix
// share the work.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

class HappensBefore {
 public:
  /// Forgets all events but the first `length`.
  void truncate(std::size_t length);
  /// The event after those known so far.
  void append(const Event& event);
  /// truncate(0), then all events of the execution.
  void assign(const std::vector<Event>& events);

  std::size_t size() const { return events_.size(); }

  /// Whether event i happens before event j. Irreflexive.
  bool before(EventIndex i, EventIndex j) const { return i < j && clock(j)[events_[i].process] >= events_[i].position; }

  /// How many events of `process` happen before or are event i.
  std::uint32_t seen(EventIndex i, ProcessIndex process) const { return process < width_ ? clock(i)[process] : 0; }

 private:
  struct Entry {
    Operation operation;
    ProcessIndex process;
    std::uint32_t position;  // among the events of its process, from 1
  };

  const std::uint32_t* clock(std::size_t i) const { return clocks_.data() + i * width_; }
  void widen(std::size_t processes);

  std::size_t width_ = 0;  // entries per clock
  std::vector<Entry> events_;
  std::vector<std::uint32_t> clocks_;
  std::vector<std::vector<EventIndex>> history_;  // the events of each process
};

}  // namespace mazurka

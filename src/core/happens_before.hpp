// The happens-before relation of an execution, as vector clocks that are computed event by event and can be truncated,
// so that executions with a common prefix share the work. An event is compared only with the events on the same objects
// (object_chains.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/execution.hpp"
#include "core/object_chains.hpp"

namespace mazurka {

class HappensBefore {
 public:
  /// Removes all events but the first `length`.
  void truncate(std::size_t length);
  /// How observers order an event (observation.hpp).
  struct Seen {
    bool unobserved = false;  ///< a store whose order among stores to the same bytes is not observed
    bool some_only = false;   ///< a delivery that is ordered only after these deliveries to its mailbox,
    std::span<const EventIndex> deliveries{};  ///< latest first
  };
  /// Appends the next event of the execution.
  void append(const Event& event, const Seen& seen = {false, false, {}});
  /// truncate(0), then all events of the execution.
  void assign(const std::vector<Event>& events);

  std::size_t size() const { return entries_.size(); }

  /// Whether event i happens before event j. Irreflexive.
  bool before(EventIndex i, EventIndex j) const {
    return i < j && clock(j)[entries_[i].process] >= entries_[i].position;
  }
  /// The number of events of `process` that happen before event i or are event i.
  std::uint32_t seen(EventIndex i, ProcessIndex process) const { return process < width_ ? clock(i)[process] : 0; }
  /// The clock of event i: seen(i, p) for every process p < width().
  std::span<const std::uint32_t> clock_of(EventIndex i) const { return {clock(i), width_}; }
  std::size_t width() const { return width_; }

  /// Its position among the events of its process, from 1.
  std::uint32_t position(EventIndex i) const { return entries_[i].position; }
  /// The events of a process in order.
  std::span<const EventIndex> history(ProcessIndex process) const {
    return process < width_ ? std::span<const EventIndex>(histories_[process]) : std::span<const EventIndex>();
  }
  /// The events of other processes on which event i depends directly: dependent, and not already before i through
  /// another such event or through the previous event of its process. Exact if i acts on one object only, and all other
  /// events on that object access it as a whole; otherwise a superset.
  std::span<const EventIndex> direct(EventIndex i) const {
    const std::size_t end = i + 1 < entries_.size() ? entries_[i + 1].direct_begin : direct_.size();
    return std::span(direct_).subspan(entries_[i].direct_begin, end - entries_[i].direct_begin);
  }
  ObjectChains& chains() { return chains_; }
  const ObjectChains& chains() const { return chains_; }
  /// The chains of the objects that event i may interfere on.
  std::span<const ObjectChains::ChainIndex> chains_of(EventIndex i) const {
    const std::size_t end = i + 1 < entries_.size() ? entries_[i + 1].chains_begin : touched_.size();
    return std::span(touched_).subspan(entries_[i].chains_begin, end - entries_[i].chains_begin);
  }
  /// The events that interfere with every other.
  std::span<const EventIndex> world() const { return world_; }

 private:
  struct Entry {
    Operation operation;
    ProcessIndex process;
    std::uint32_t position;
    std::uint32_t chains_begin;  // into touched_
    std::uint32_t links_begin;   // into links_: one per chain that it is on
    std::uint32_t direct_begin;  // into direct_
    bool covers;                 // every earlier event on its object happens before it
  };
  struct Link {
    ObjectChains::ChainIndex chain;
    EventIndex older;     // next event of the list, see push_on_long_chain
    EventIndex replaced;  // the event that this one removed from the list
  };
  static constexpr std::size_t kShort = 32;  // leading events of a chain that are not in the list

  const std::uint32_t* clock(std::size_t i) const { return clocks_.data() + i * width_; }
  void widen(std::size_t processes);
  void join(std::uint32_t* mine, EventIndex other);
  void join_chain(std::uint32_t* mine, ObjectChains::ChainIndex chain, const Event& event, const Seen& seen);
  void push_on_long_chain(EventIndex index, ObjectChains::ChainIndex chain);
  void put_back(const Link& last);
  EventIndex& older(EventIndex event, ObjectChains::ChainIndex chain) {
    std::uint32_t i = entries_[event].links_begin;
    while (links_[i].chain != chain) ++i;
    return links_[i].older;
  }

  std::size_t width_ = 0;  // entries per clock
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> clocks_;  // of all events; may contain truncated events behind them
  std::vector<std::vector<EventIndex>> histories_;
  std::vector<EventIndex> direct_;
  std::vector<ObjectChains::ChainIndex> touched_;
  std::vector<Link> links_;
  std::vector<EventIndex> world_;
  ObjectChains chains_;
  ObjectChains::Set set_;
};

}  // namespace mazurka

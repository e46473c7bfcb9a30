// Which stores of an execution are observed (§5 of *Optimal DPOR with Observers*).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/object_chains.hpp"
#include "core/observation.hpp"

namespace mazurka::dpor {

/// The observers of the stores of an execution. Computed incrementally, so that executions with a common prefix share
/// the work.
class Observations {
 public:
  /// \pre The first `known` events are those of the last call. Returns the length of the prefix whose happens-before is
  /// unchanged: a read after the prefix may order stores inside it, or no longer do so.
  std::size_t update(const std::vector<Event>& events, std::size_t known);

  /// Whether event i is a store that no event reads.
  bool unobserved(std::size_t i) const { return entries_[i].store && entries_[i].first_observer == kNoEvent; }
  /// Collects the events that read the value stored by event i, in order.
  void collect_observers(const std::vector<Event>& events, EventIndex i, std::vector<EventIndex>& observers);
  /// The stores that event i reads.
  std::span<const EventIndex> observed_by(EventIndex i) const {
    const std::size_t end = i + 1 < entries_.size() ? entries_[i + 1].log_begin : log_.size();
    return std::span(log_).subspan(entries_[i].log_begin, end - entries_[i].log_begin);
  }

 private:
  struct Entry {
    bool store = false;
    bool contended = false;              // another process stored to the same bytes earlier
    bool was_observed = false;           // as of the last update()
    ObjectChains::ChainIndex chain = 0;  // of a store
    EventIndex first_observer = kNoEvent;
    std::uint32_t log_begin = 0;  // into log_: the stores that it reads
  };

  void append(const std::vector<Event>& events, EventIndex i);
  void observe(const std::vector<Event>& events, ObjectChains::ChainIndex chain, EventIndex reader);
  void truncate(std::size_t length);

  std::vector<Entry> entries_;
  std::vector<EventIndex> log_;
  ObjectChains chains_;
  std::uint32_t chain_count_ = 0;  // chains below this number may contain stores
  ObjectChains::Set set_;
};

}  // namespace mazurka::dpor

// Finds an event by its label and input conditions ⟨M_p, M_c, t⟩. An extension can be an existing event only if read
// arcs give events several histories; a plain net needs no index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "prefix/prefix.hpp"

namespace mazurka::prefix {

class EventIndex {
 public:
  explicit EventIndex(const Prefix& prefix) : prefix_(prefix), active_(prefix.net().has_reads()) {}

  /// The event, or kNoId.
  EventId find(TransitionId label, std::span<const EnrichedId> links) const;
  /// To be called once the event has its first history.
  void insert(EventId event);

 private:
  std::uint64_t hash(TransitionId label, std::span<const EnrichedId> links) const;
  bool matches(EventId event, TransitionId label, std::span<const EnrichedId> links) const;
  std::uint64_t hash_of(EventId event) const;
  void grow();

  const Prefix& prefix_;
  bool active_;
  std::vector<EventId> slots_;
  std::size_t used_ = 0;
};

}  // namespace mazurka::prefix

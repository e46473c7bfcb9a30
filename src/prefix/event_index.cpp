#include "prefix/event_index.hpp"

namespace mazurka::prefix {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

std::uint64_t EventIndex::hash(TransitionId label, std::span<const EnrichedId> links) const {
  std::uint64_t value = label;
  for (EnrichedId link : links) {
    value = (value ^ prefix_.enriched()[link].condition) * 0x9e3779b97f4a7c15U;
    value ^= value >> 29;
  }
  return value;
}

bool EventIndex::matches(EventId event, TransitionId label, std::span<const EnrichedId> links) const {
  if (prefix_.events()[event].label != label) return false;
  const auto inputs = prefix_.links(prefix_.events()[event].histories);
  for (std::size_t i = 0; i < links.size(); ++i)
    if (prefix_.enriched()[inputs[i]].condition != prefix_.enriched()[links[i]].condition) return false;
  return true;
}

std::uint64_t EventIndex::hash_of(EventId event) const {
  return hash(prefix_.events()[event].label, prefix_.links(prefix_.events()[event].histories));
}

EventId EventIndex::find(TransitionId label, std::span<const EnrichedId> links) const {
  if (!active_ || slots_.empty()) return kNoId;
  std::size_t slot = hash(label, links) & (slots_.size() - 1);
  for (; slots_[slot] != kNoId; slot = (slot + 1) & (slots_.size() - 1))
    if (matches(slots_[slot], label, links)) return slots_[slot];
  return kNoId;
}

void EventIndex::insert(EventId event) {
  if (!active_) return;
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::size_t slot = hash_of(event) & (slots_.size() - 1);
  while (slots_[slot] != kNoId) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = event;
  ++used_;
}

void EventIndex::grow() {
  std::vector<EventId> old(slots_.empty() ? kFirstSlots : slots_.size() * 2, kNoId);
  old.swap(slots_);
  for (EventId event : old) {
    if (event == kNoId) continue;
    std::size_t slot = hash_of(event) & (slots_.size() - 1);
    while (slots_[slot] != kNoId) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = event;
  }
}

}  // namespace mazurka::prefix

#include "unfolding/alternatives.hpp"

#include <algorithm>

namespace mazurka::unfolding {

bool Alternatives::find(Configuration& c, const std::vector<EventId>& disabled) {
  ++statistics_.computed;
  disabled_ = &disabled;
  base_ = c.size();
  if (spikes_.size() < disabled.size()) {
    spikes_.resize(disabled.size());
    added_.resize(disabled.size());
  }
  const bool found = search(c, disabled.size(), std::min(k_, disabled.size()));
  if (found) ++statistics_.found;
  return found;
}

bool Alternatives::is_disabled(EventId e) const {
  return std::find(disabled_->begin(), disabled_->end(), e) != disabled_->end();
}

bool Alternatives::search(Configuration& c, std::size_t remaining, std::size_t wanted) {
  // Skip what is in conflict already.
  while (wanted > 0 && remaining > 0 && !c.enables((*disabled_)[remaining - 1])) {
    --remaining;
    --wanted;
  }
  if (wanted == 0 || remaining == 0) return true;
  const std::size_t depth = remaining - 1;
  std::vector<EventId>& spike = spikes_[depth];
  build_spike(c, (*disabled_)[depth], spike);
  ++statistics_.spikes;
  statistics_.spike_size += spike.size();
  statistics_.largest_spike = std::max<std::uint64_t>(statistics_.largest_spike, spike.size());
  for (const EventId candidate : spike) {
    ++statistics_.steps;
    std::vector<EventId>& added = added_[depth];
    if (!c.compatible(candidate, added)) {
      if (const std::size_t place = c.first_conflict(candidate); place < base_) candidates_.park(candidate, place);
      continue;
    }
    if (std::any_of(added.begin(), added.end(), [&](EventId e) { return is_disabled(e); })) continue;
    const std::size_t size = c.size();
    for (const EventId e : added) c.push(e);
    if (search(c, depth, wanted - 1)) return true;
    while (c.size() > size) c.pop();
  }
  return false;
}

void Alternatives::build_spike(const Configuration& c, EventId d, std::vector<EventId>& spike) const {
  spike.clear();
  const auto slots = events_.slots(d);
  const auto visit = [&](EventId first, std::size_t slot, ResourceId resource) {
    for (EventId e = first; e != kNoEvent;
         e = slot == 0 ? events_.slots(e)[0].next : events_.slot_on(e, resource).next) {
      // The same step after another history contains something smaller that conflicts with d: its history does.
      if (events_.label(e) == events_.label(d)) continue;
      if (slot != 0 && !events_.labels().dependent(events_.label(e), events_.label(d))) continue;
      if (is_disabled(e) || c.contains(e)) continue;
      spike.push_back(e);
    }
  };
  visit(events_.first_of(events_.process(d), slots[0].anchor), 0, 0);
  for (std::size_t i = 1; i < slots.size(); ++i)
    visit(events_.first_on(slots[i].resource, slots[i].anchor), i, slots[i].resource);
}

}  // namespace mazurka::unfolding

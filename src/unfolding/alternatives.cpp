#include "unfolding/alternatives.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::unfolding {

bool Alternatives::find(Configuration& c, const std::vector<EventId>& disabled) {
  ++statistics_.computed;
  disabled_ = &disabled;
  base_ = c.size();
  if (added_.size() < disabled.size()) added_.resize(disabled.size());
  const bool found = search(c, disabled.size(), std::min(k_, disabled.size()));
  if (found) ++statistics_.found;
  // Not before the end: the search walks over the lists.
  for (const auto& [candidate, place] : parked_) candidates_.park(candidate, place);
  parked_.clear();
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
  const EventId d = (*disabled_)[remaining - 1];
  ++statistics_.spikes;
  // Its process might have gone another way, or an event of another process might have come first.
  std::uint64_t size = 0;
  bool found = false;
  for (auto g = events_.groups_of(events_.process(d), events_.previous(d)); g != kNoGroup && !found;
       g = events_.group(g).next) {
    // The same step after another history holds something smaller in conflict with d.
    if (events_.group(g).label == events_.label(d)) continue;
    for (EventId e = events_.group(g).first; e != kNoEvent && !found; e = events_.slots(e)[0].next)
      found = attempt(c, e, remaining - 1, wanted - 1, size);
  }
  for (const Slot& slot : events_.slots(d).subspan(1)) {
    for (auto g = events_.groups_on(slot.resource, slot.anchor); g != kNoGroup && !found; g = events_.group(g).next) {
      const Label& label = events_.labels()[events_.group(g).label];
      if (label.step.process == events_.process(d) || !dependent(label.operation, events_.operation(d))) continue;
      for (EventId e = events_.group(g).first; e != kNoEvent && !found; e = events_.slot_on(e, slot.resource).next)
        found = attempt(c, e, remaining - 1, wanted - 1, size);
    }
  }
  statistics_.spike_size += size;
  statistics_.largest_spike = std::max(statistics_.largest_spike, size);
  return found;
}

/// Adds an event of a spike and goes on with the next spikes.
bool Alternatives::attempt(Configuration& c, EventId candidate, std::size_t remaining, std::size_t wanted,
                           std::uint64_t& size) {
  if (c.contains(candidate)) return false;  // a cause of d
  ++size;
  if (const std::size_t place = c.conflict(candidate); place < c.size()) {
    if (place < base_) parked_.emplace_back(candidate, place);
    return false;
  }
  std::vector<EventId>& added = added_[remaining];
  c.missing(candidate, added);
  if (std::any_of(added.begin(), added.end(), [&](EventId e) { return is_disabled(e); })) return false;
  const std::size_t before = c.size();
  for (const EventId e : added) c.push(e);
  if (search(c, remaining, wanted)) return true;
  while (c.size() > before) c.pop();
  return false;
}

}  // namespace mazurka::unfolding

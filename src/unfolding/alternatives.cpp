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
  // Deferred until now, because the search iterates over the lists.
  for (const auto& [candidate, place] : parked_) candidates_.park(candidate, place);
  parked_.clear();
  return found;
}

bool Alternatives::is_disabled(EventId e) const {
  return std::find(disabled_->begin(), disabled_->end(), e) != disabled_->end();
}

bool Alternatives::search(Configuration& c, std::size_t remaining, std::size_t wanted) {
  // Skip the events of D that the events chosen so far conflict with already.
  while (wanted > 0 && remaining > 0 && !c.enables((*disabled_)[remaining - 1])) {
    --remaining;
    --wanted;
  }
  if (wanted == 0 || remaining == 0) return true;
  const EventId d = (*disabled_)[remaining - 1];
  ++statistics_.spikes;
  // Immediate conflicts of d: another alternative of its process, or an event of another process on the same resource.
  std::uint64_t size = 0;
  bool found = false;
  const auto try_group = [&](const Group& group, std::size_t slot) {
    for (EventId e = group.first; e != kNoEvent && !found; e = events_.slots(e)[slot].next)
      found = attempt(c, e, remaining - 1, wanted - 1, size);
  };
  const Labels& labels = events_.labels();
  if (!labels.has_single_outcome(events_.label(d))) {
    for (auto g = events_.groups_of(events_.process(d), events_.previous(d)); g != kNoGroup && !found;
         g = events_.group(g).next) {
      // The same step with another history contains a smaller event in conflict with d.
      const Group& group = events_.group(g);
      if (group.label != events_.label(d)) try_group(group, labels.uses(group.label).size());
    }
  }
  const auto uses = labels.uses(events_.label(d));
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const ResourceId resource = uses[i].resource;
    for (auto g = events_.groups_on(resource, events_.slots(d)[i].anchor); g != kNoGroup && !found;
         g = events_.group(g).next) {
      const Group& group = events_.group(g);
      if (group.first != kNoEvent && labels[group.label].step.process != events_.process(d) &&
          labels.dependent(group.label, events_.label(d)))
        try_group(group, events_.slot_on(group.label, resource));
    }
  }
  statistics_.spike_size += size;
  statistics_.largest_spike = std::max(statistics_.largest_spike, size);
  return found;
}

/// Adds the local configuration of a spike's event to the union, then searches the remaining spikes.
bool Alternatives::attempt(Configuration& c, EventId candidate, std::size_t remaining, std::size_t wanted,
                           std::uint64_t& size) {
  constexpr std::size_t kPerAttempt = 64;
  if (!poll_.spend(kPerAttempt)) return false;
  if (c.contains(candidate) || cutoffs_.is_cutoff(candidate)) return false;  // in C: a cause of d
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

#include "unfolding/candidates.hpp"

#include <algorithm>

namespace mazurka::unfolding {

void Candidates::add(EventId e, std::size_t place, std::size_t until) {
  if (states_.size() < events_.size()) states_.resize(events_.size());
  if (held_.size() <= place) held_.resize(place + 1);
  if (states_[e].until == kNever) {
    states_[e].until = kNever - 1;  // held from now on, so that park() accepts it
    park(e, place);
  }
  states_[e].added = true;
  hold(e, static_cast<std::uint32_t>(until));
}

void Candidates::hold(EventId e, std::uint32_t node) {
  State& state = states_[e];
  if (state.until <= node) return;
  if (state.until == kNever) events_.list(e);
  state.until = node;
  held_[node].push_back(e);
  // A cause is needed as long as its effect. It is in C, or compatible with whatever its effect is compatible with.
  for (const EventId cause : events_.causes(e)) hold(cause, node);
}

void Candidates::park(EventId e, std::size_t place) {
  State& state = states_[e];
  events_.unlist(e);
  state.parked = static_cast<std::uint32_t>(place);
  if (parked_.size() <= place) parked_.resize(place + 1);
  parked_[place].push_back(e);
}

void Candidates::taken_back(std::size_t place, EventId disabled) {
  if (place >= parked_.size()) return;
  for (const EventId e : parked_[place]) {
    if (states_[e].parked != place) continue;
    states_[e].parked = kNever;
    if (states_[e].until != kNever && e != disabled) events_.list(e);
  }
  parked_[place].clear();
}

void Candidates::enabled(EventId e) {
  if (states_[e].until != kNever && states_[e].parked == kNever) events_.list(e);
}

void Candidates::leave(std::size_t node) {
  if (node >= held_.size()) return;
  for (const EventId e : held_[node]) {
    if (states_[e].until != node) continue;  // another effect needs it longer
    states_[e] = {};
    events_.unlist(e);
  }
  held_[node].clear();
}

void Candidates::mark(std::vector<char>& keep) const {
  for (std::size_t e = 0; e < std::min(keep.size(), states_.size()); ++e)
    if (states_[e].until != kNever) keep[e] = 1;
}

void Candidates::renumber(const std::vector<EventId>& renumbered) {
  for (std::size_t node = 0; node < held_.size(); ++node) {
    std::erase_if(held_[node], [&](EventId e) { return states_[e].until != node; });
    for (EventId& e : held_[node]) e = renumbered[e];
  }
  for (std::size_t place = 0; place < parked_.size(); ++place) {
    std::erase_if(parked_[place], [&](EventId e) { return states_[e].parked != place; });
    for (EventId& e : parked_[place]) e = renumbered[e];
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < states_.size(); ++e)
    if (renumbered[e] != kNoEvent) states_[kept++] = states_[e];
  states_.resize(kept);
}

}  // namespace mazurka::unfolding

// Causality, conflict and immediate conflict of any two events, by definition.
#include <algorithm>

#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

std::vector<EventId> EventStructure::local_configuration(EventId e) const {
  std::vector<EventId> members{e};
  std::vector<char> seen_already(e + 1, 0);
  seen_already[e] = 1;
  for (std::size_t i = 0; i < members.size(); ++i)
    for (const EventId cause : causes(members[i]))
      if (seen_already[cause]++ == 0) members.push_back(cause);
  std::sort(members.begin(), members.end());
  return members;
}

bool EventStructure::before(EventId a, EventId b) const {
  if (a >= b) return false;
  // Within one local configuration, process and position identify an event. Walk down from b to the event at the
  // position of a.
  const ProcessIndex p = process(a);
  const std::uint32_t at = position(a);
  for (EventId e = b; seen(e, p) >= at;) {
    if (e == a) return true;
    EventId down = kNoEvent;
    for (const EventId cause : causes(e))
      if (seen(cause, p) >= at) down = cause;
    if (down == kNoEvent) return false;
    e = down;
  }
  return false;
}

bool EventStructure::conflict(EventId a, EventId b) const {
  // Two configurations conflict iff an event only in one depends on an event only in the other (Def. 1, rule 3, and
  // inheritance).
  const auto left = local_configuration(a);
  const auto right = local_configuration(b);
  std::vector<EventId> only_left;
  std::vector<EventId> only_right;
  std::set_difference(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(only_left));
  std::set_difference(right.begin(), right.end(), left.begin(), left.end(), std::back_inserter(only_right));
  return std::any_of(only_left.begin(), only_left.end(), [&](EventId x) {
    return std::any_of(only_right.begin(), only_right.end(),
                       [&](EventId y) { return labels_.dependent(label(x), label(y)); });
  });
}

bool EventStructure::immediate_conflict(EventId a, EventId b) const {
  if (!conflict(a, b)) return false;
  const auto none = [&](EventId e, EventId with) {
    const auto of = causes(e);
    return std::none_of(of.begin(), of.end(), [&](EventId cause) { return conflict(cause, with); });
  };
  return none(a, b) && none(b, a);
}

}  // namespace mazurka::unfolding

#include "net/net.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mazurka::net {
namespace {

/// Inserts into a sorted list; returns false if the value is there already.
bool insert_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
  const auto at = std::lower_bound(list.begin(), list.end(), value);
  if (at != list.end() && *at == value) return false;
  list.insert(at, value);
  return true;
}

}  // namespace

PlaceId Net::add_place(std::string name, bool marked) {
  places_.push_back({std::move(name), marked, {}, {}, {}});
  return static_cast<PlaceId>(places_.size() - 1);
}

TransitionId Net::add_transition(std::string name) {
  transitions_.push_back({std::move(name), {}, {}, {}});
  return static_cast<TransitionId>(transitions_.size() - 1);
}

std::optional<ArcError> Net::add_input(PlaceId place, TransitionId transition) {
  if (!insert_sorted(transitions_[transition].pre, place))
    return ArcError{
        fmt::format("a second arc from place '{}' to transition '{}' makes its weight 2; only weight 1 is "
                    "supported",
                    places_[place].name, transitions_[transition].name)};
  insert_sorted(places_[place].consumers, transition);
  return std::nullopt;
}

std::optional<ArcError> Net::add_output(TransitionId transition, PlaceId place) {
  if (!insert_sorted(transitions_[transition].post, place))
    return ArcError{
        fmt::format("a second arc from transition '{}' to place '{}' makes its weight 2; only weight 1 is "
                    "supported",
                    transitions_[transition].name, places_[place].name)};
  insert_sorted(places_[place].producers, transition);
  return std::nullopt;
}

std::optional<ArcError> Net::add_read(PlaceId place, TransitionId transition) {
  if (!insert_sorted(transitions_[transition].context, place))
    return ArcError{fmt::format("a second read arc between place '{}' and transition '{}'", places_[place].name,
                                transitions_[transition].name)};
  insert_sorted(places_[place].readers, transition);
  return std::nullopt;
}

void Net::finish() {
  for (TransitionId t = 0; t < transitions_.size(); ++t) {
    Transition& transition = transitions_[t];
    std::erase_if(transition.context, [&](PlaceId place) {
      if (!std::binary_search(transition.pre.begin(), transition.pre.end(), place)) return false;
      std::erase(places_[place].readers, t);
      return true;
    });
  }
}

bool Net::has_reads() const {
  return std::any_of(transitions_.begin(), transitions_.end(), [](const auto& t) { return !t.context.empty(); });
}

std::vector<PlaceId> Net::initial() const {
  std::vector<PlaceId> marked;
  for (PlaceId p = 0; p < places_.size(); ++p)
    if (places_[p].marked) marked.push_back(p);
  return marked;
}

std::optional<PlaceId> Net::find_place(std::string_view name) const {
  std::optional<PlaceId> found;
  for (PlaceId p = 0; p < places_.size(); ++p) {
    if (places_[p].name != name) continue;
    if (found) return std::nullopt;
    found = p;
  }
  return found;
}

Net plain_encoding(const Net& net) {
  Net plain;
  for (const Place& place : net.places()) plain.add_place(place.name, place.marked);
  for (const Transition& transition : net.transitions()) {
    const TransitionId t = plain.add_transition(transition.name);
    for (PlaceId p : transition.pre) plain.add_input(p, t);
    for (PlaceId p : transition.post) plain.add_output(t, p);
    for (PlaceId p : transition.context) {
      plain.add_input(p, t);
      plain.add_output(t, p);
    }
  }
  plain.finish();
  return plain;
}

std::string names_of(const Net& net, const std::vector<TransitionId>& sequence) {
  if (sequence.empty()) return "(nothing fired)";
  std::string text;
  for (TransitionId t : sequence) {
    if (!text.empty()) text += ' ';
    text += net.transition(t).name;
  }
  return text;
}

}  // namespace mazurka::net

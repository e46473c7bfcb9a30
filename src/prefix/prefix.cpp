#include "prefix/prefix.hpp"

namespace mazurka::prefix {

namespace {

constexpr std::uint32_t kLevelMask = 0x7fffffff;

}  // namespace

Prefix::Prefix(const net::Net& net) : net_(&net), initial_(net.initial()) {
  add_event(kNoId);
  add_history(0, {}, 0, 0);
}

EventId Prefix::add_event(TransitionId label) {
  const auto event = static_cast<EventId>(events_.size());
  events_.push_back({label, kNoId, static_cast<ConditionId>(producer_.size())});
  producer_.resize(producer_.size() + postset_labels(event).size(), event);
  return event;
}

HistoryId Prefix::add_history(EventId event, std::span<const EnrichedId> links, std::uint32_t size,
                              std::uint32_t level) {
  const auto history = static_cast<HistoryId>(histories_.size());
  histories_.push_back(
      {event, static_cast<std::uint32_t>(links_.size()), size, level & kLevelMask, 0, events_[event].histories});
  events_[event].histories = history;
  links_.insert(links_.end(), links.begin(), links.end());
  return history;
}

EnrichedId Prefix::add_enriched(ConditionId condition, PlaceId place, HistoryId history, EnrichedId previous) {
  const auto id = static_cast<EnrichedId>(enriched_.size());
  enriched_.push_back({condition, place, history, previous});
  return id;
}

void Prefix::set_cutoff(HistoryId history) {
  histories_[history].cutoff = 1;
  ++cutoffs_;
}

}  // namespace mazurka::prefix

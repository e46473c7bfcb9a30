#include "unfolding/event_structure.hpp"

#include <algorithm>
#include <utility>

#include "core/invariant.hpp"
#include "core/random.hpp"

namespace mazurka::unfolding {

EventStructure::Name EventStructure::name_of(LabelId label, std::span<const EventId> causes) {
  // A sum over the causes, because their order depends on their numbers, which are not canonical.
  const auto name = [this](LabelId of, std::span<const EventId> after) -> Name {
    std::uint64_t a = mixed(of + 0x9e3779b97f4a7c15U);
    std::uint64_t b = mixed(of + 0x6a09e667f3bcc909U);
    for (const EventId cause : after) {
      a += mixed(names_[cause][0]);
      b += mixed(names_[cause][1] ^ 0x3c6ef372fe94f82bU);
    }
    return {mixed(a), mixed(b)};
  };
  for (auto e = static_cast<EventId>(names_.size()); e < events_.size(); ++e)
    names_.push_back(name(events_[e].label, this->causes(e)));
  return name(label, causes);
}

std::uint32_t EventStructure::hash(LabelId label, std::span<const EventId> causes) {
  std::uint64_t h = label;
  for (const EventId cause : causes) h = (h ^ cause) * 0x9e3779b97f4a7c15U;
  return static_cast<std::uint32_t>(h >> 32);
}

EventStructure::TableEntry& EventStructure::entry_of(LabelId label, std::span<const EventId> causes,
                                                     std::uint32_t hash) {
  constexpr std::uint32_t kSpread = 32;
  const std::size_t mask = table_.size() - 1;
  std::size_t at = causes.empty() ? hash : 2 * std::size_t{causes.back()} + hash % kSpread;
  for (;; ++at) {
    TableEntry& entry = table_[at & mask];
    if (entry.event == kNoEvent) return entry;
    if (entry.hash == hash && events_[entry.event].label == label &&
        std::ranges::equal(this->causes(entry.event), causes))
      return entry;
  }
}

EventId EventStructure::intern(LabelId label, EventId previous, std::vector<EventId>& causes,
                               const Surroundings& surroundings) {
  if (!std::is_sorted(causes.begin(), causes.end())) std::sort(causes.begin(), causes.end());
  if (table_.size() < 2 * (events_.size() + 1)) fill_table(std::max<std::size_t>(1024, 2 * table_.size()));
  const std::uint32_t hashed = hash(label, causes);
  TableEntry& entry = entry_of(label, causes, hashed);
  const bool is_new = entry.event == kNoEvent;
  const EventId e = is_new ? static_cast<EventId>(events_.size()) : entry.event;
  if (previous != kNoEvent) events_[previous].follower = e;
  if (!is_new) return e;
  entry = {e, hashed};
  Record record;
  record.label = label;
  record.process = labels_[label].step.process;
  record.position = previous == kNoEvent ? 1 : events_[previous].position + 1;
  record.previous = previous;
  record.causes_begin = static_cast<std::uint32_t>(causes_.size());
  record.causes_count = static_cast<std::uint16_t>(causes.size());
  events_.push_back(record);
  causes_.append(causes);
  if (record.process >= width_) widen(record.process + 1);
  std::uint32_t* const own = clocks_.extend(width_);
  if (causes.empty())
    std::fill_n(own, width_, 0);
  else
    std::copy_n(clock(causes[0]), width_, own);
  for (std::size_t i = 1; i < causes.size(); ++i) {
    const std::uint32_t* const theirs = clock(causes[i]);
    for (std::size_t p = 0; p < width_; p += kWidthUnit)
      for (std::size_t q = p; q < p + kWidthUnit; ++q) own[q] = std::max(own[q], theirs[q]);
  }
  add_slots(e, surroundings);  // before the clock of the history becomes that of the event
  clocks_[static_cast<std::size_t>(e) * width_ + record.process] = record.position;
  return e;
}

void EventStructure::fill_table(std::size_t size) {
  table_.assign(size, {});
  for (EventId e = 0; e < events_.size(); ++e) {
    const std::uint32_t hashed = hash(events_[e].label, causes(e));
    entry_of(events_[e].label, causes(e), hashed) = {e, hashed};
  }
}

void EventStructure::add_slots(EventId e, const Surroundings& surroundings) {
  const LabelId label = events_[e].label;
  events_[e].slots_begin = static_cast<std::uint32_t>(slots_.size());
  for (const Use& use : labels_.uses(label)) slots_.push_back({surroundings.last_total(use.resource, clock(e))});
  if (!labels_.has_single_outcome(label)) slots_.push_back({events_[e].previous});
  events_[e].slots_count = static_cast<std::uint8_t>(slots_.size() - events_[e].slots_begin);
}

std::size_t EventStructure::slot_on(LabelId label, ResourceId resource) const {
  const auto uses = labels_.uses(label);
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i].resource == resource) return i;
  MZ_INVARIANT(false, "an event has a slot for each of its resources");
}

std::uint32_t EventStructure::groups_on(ResourceId resource, EventId anchor) const {
  if (anchor != kNoEvent) return slots(anchor)[slot_on(label(anchor), resource)].anchored;
  return resource < resource_roots_.size() ? resource_roots_[resource] : kNoGroup;
}

std::uint32_t EventStructure::groups_of(ProcessIndex process, EventId previous) const {
  if (previous != kNoEvent) return events_[previous].followed;
  return process < process_roots_.size() ? process_roots_[process] : kNoGroup;
}

std::uint32_t& EventStructure::first_group(EventId e, std::size_t slot) {
  const EventId anchor = slots(e)[slot].anchor;
  const auto root = [](std::vector<std::uint32_t>& roots, std::size_t i) -> std::uint32_t& {
    if (i >= roots.size()) roots.resize(i + 1, kNoGroup);
    return roots[i];
  };
  const auto uses = labels_.uses(label(e));
  if (slot == uses.size()) return anchor == kNoEvent ? root(process_roots_, process(e)) : events_[anchor].followed;
  const ResourceId resource = uses[slot].resource;
  if (anchor == kNoEvent) return root(resource_roots_, resource);
  return slots_[events_[anchor].slots_begin + slot_on(label(anchor), resource)].anchored;
}

Group& EventStructure::group_for(EventId e, std::size_t slot) {
  std::uint32_t& number = slots_[events_[e].slots_begin + slot].group;
  if (number == kNoGroup) {
    std::uint32_t& first = first_group(e, slot);
    number = first;
    while (number != kNoGroup && groups_[number].label != label(e)) number = groups_[number].next;
    if (number == kNoGroup) {
      number = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({label(e), kNoEvent, first});
      first = number;
    }
  }
  return groups_[number];
}

void EventStructure::list(EventId e) {
  if (events_[e].listed) return;
  events_[e].listed = true;
  for (std::uint32_t i = 0; i < events_[e].slots_count; ++i) {
    Group& group = group_for(e, i);
    Slot& slot = slots_[events_[e].slots_begin + i];
    slot.next = group.first;
    slot.before = kNoEvent;
    // It has the same label, and so the same layout of slots.
    if (slot.next != kNoEvent) slots_[events_[slot.next].slots_begin + i].before = e;
    group.first = e;
  }
}

void EventStructure::unlist(EventId e) {
  if (!events_[e].listed) return;
  events_[e].listed = false;
  for (std::uint32_t i = 0; i < events_[e].slots_count; ++i) {
    const Slot& slot = slots_[events_[e].slots_begin + i];
    if (slot.next != kNoEvent) slots_[events_[slot.next].slots_begin + i].before = slot.before;
    if (slot.before != kNoEvent) {
      slots_[events_[slot.before].slots_begin + i].next = slot.next;
    } else {
      groups_[slot.group].first = slot.next;
    }
  }
}

void EventStructure::relist() {
  groups_.clear();
  std::fill(process_roots_.begin(), process_roots_.end(), kNoGroup);
  std::fill(resource_roots_.begin(), resource_roots_.end(), kNoGroup);
  for (EventId e = 0; e < events_.size(); ++e) {
    // The events anchored at it come later.
    events_[e].followed = kNoGroup;
    for (std::size_t i = 0; i < events_[e].slots_count; ++i) {
      Slot& slot = slots_[events_[e].slots_begin + i];
      slot.group = slot.anchored = kNoGroup;
    }
    if (std::exchange(events_[e].listed, false)) list(e);
  }
}

void EventStructure::widen(std::size_t processes) {
  if (processes <= width_) return;
  const std::size_t width = (std::max(processes, width_ + width_ / 2) + kWidthUnit - 1) / kWidthUnit * kWidthUnit;
  HugeVector<std::uint32_t> clocks;
  clocks.resize(events_.size() * width);
  for (std::size_t e = 0; e * width_ < clocks_.size(); ++e)
    std::copy_n(clocks_.data() + e * width_, width_, clocks.data() + e * width);
  clocks_ = std::move(clocks);
  width_ = width;
}

std::vector<EventId> EventStructure::compact(const std::vector<char>& keep) {
  std::vector<EventId> renumbered(events_.size(), kNoEvent);
  EventId kept = 0;
  for (std::size_t e = 0; e < events_.size(); ++e)
    if (keep[e] != 0) renumbered[e] = kept++;
  const auto renumber = [&](EventId& e) {
    if (e == kNoEvent) return;
    e = renumbered[e];
    MZ_INVARIANT(e != kNoEvent, "what is kept of the unfolding is closed under causes");
  };
  std::uint32_t causes_end = 0;
  std::uint32_t slots_end = 0;
  std::size_t names = 0;
  for (std::size_t e = 0; e < events_.size(); ++e) {
    if (keep[e] == 0) continue;
    Record record = events_[e];
    renumber(record.previous);
    if (record.follower != kNoEvent) record.follower = renumbered[record.follower];
    const std::uint32_t causes_begin = std::exchange(record.causes_begin, causes_end);
    for (std::size_t i = 0; i < record.causes_count; ++i) {
      causes_[causes_end] = causes_[causes_begin + i];
      renumber(causes_[causes_end++]);
    }
    const std::uint32_t slots_begin = std::exchange(record.slots_begin, slots_end);
    for (std::size_t i = 0; i < record.slots_count; ++i) {
      Slot& slot = slots_[slots_end++] = slots_[slots_begin + i];
      renumber(slot.anchor);
      if (!record.listed) continue;
      renumber(slot.next);
      renumber(slot.before);
    }
    const EventId to = renumbered[e];
    std::copy_n(clocks_.data() + e * width_, width_, clocks_.data() + to * width_);
    if (e < names_.size()) names_[names++] = names_[e];
    events_[to] = record;
  }
  events_.resize(kept);
  names_.resize(names);
  causes_.resize(causes_end);
  slots_.resize(slots_end);
  clocks_.resize(kept * width_);
  if (groups_.size() > 2 * slots_.size()) {
    relist();  // drops groups without events
  } else {
    for (Group& group : groups_) renumber(group.first);
  }
  fill_table(table_.size());
  return renumbered;
}

namespace {

/// A history given explicitly, without an index.
class History final : public Surroundings {
 public:
  History(const EventStructure& events, std::vector<EventId> members) : events_(events), members_(std::move(members)) {}
  EventId last_total(ResourceId resource, const std::uint32_t*) const override {
    EventId last = kNoEvent;
    for (const EventId e : members_)
      for (const Use& use : events_.labels().uses(events_.label(e)))
        if (use.resource == resource && use.total && (last == kNoEvent || events_.before_in_configuration(last, e)))
          last = e;
    return last;
  }

 private:
  const EventStructure& events_;
  std::vector<EventId> members_;
};

}  // namespace

void EventStructure::reindex() {
  slots_.clear();
  resource_roots_.clear();
  for (EventId e = 0; e < events_.size(); ++e) {
    std::vector<EventId> members = local_configuration(e);
    std::erase(members, e);
    add_slots(e, History(*this, std::move(members)));
  }
  relist();
}

}  // namespace mazurka::unfolding

#include "unfolding/event_structure.hpp"

#include <algorithm>

#include "core/invariant.hpp"
#include "core/random.hpp"

namespace mazurka::unfolding {

EventStructure::Name EventStructure::name_of(LabelId label, std::span<const EventId> causes) const {
  // A sum over the causes, so that their order, which depends on their numbers, does not matter.
  std::uint64_t a = mixed(label + 0x9e3779b97f4a7c15U);
  std::uint64_t b = mixed(label + 0x6a09e667f3bcc909U);
  for (const EventId cause : causes) {
    a += mixed(names_[cause][0]);
    b += mixed(names_[cause][1] ^ 0x3c6ef372fe94f82bU);
  }
  return {mixed(a), mixed(b)};
}

bool EventStructure::is(EventId e, LabelId label, const std::vector<EventId>& causes) const {
  if (e == kNoEvent || events_[e].label != label || events_[e].causes_count != causes.size()) return false;
  return std::equal(causes.begin(), causes.end(), causes_.begin() + events_[e].causes_begin);
}

EventId EventStructure::intern(LabelId label, EventId previous, std::vector<EventId>& causes,
                               const Surroundings& surroundings) {
  if (!std::is_sorted(causes.begin(), causes.end())) std::sort(causes.begin(), causes.end());
  // Executions have much in common: a process mostly goes on as it did before.
  if (previous != kNoEvent && is(events_[previous].follower, label, causes)) return events_[previous].follower;
  const Name name = name_of(label, causes);
  if (table_.size() < 2 * (events_.size() + 1)) fill_table(std::max<std::size_t>(1024, 2 * table_.size()));
  std::size_t at = place(name);
  for (; table_[at] != kNoEvent; at = (at + 1) & (table_.size() - 1)) {
    const Name& known = names_[table_[at]];
    if (known[0] != name[0] || known[1] != name[1]) continue;  // == would call memcmp
    if (previous != kNoEvent) events_[previous].follower = table_[at];
    return table_[at];
  }
  const auto e = static_cast<EventId>(events_.size());
  table_[at] = e;
  if (previous != kNoEvent) events_[previous].follower = e;
  Record record;
  record.label = label;
  record.process = labels_[label].step.process;
  record.position = previous == kNoEvent ? 1 : events_[previous].position + 1;
  record.previous = previous;
  record.causes_begin = static_cast<std::uint32_t>(causes_.size());
  record.causes_count = static_cast<std::uint16_t>(causes.size());
  events_.push_back(record);
  causes_.insert(causes_.end(), causes.begin(), causes.end());
  names_.push_back(name);
  if (record.process >= width_) widen(record.process + 1);
  clocks_.resize(clocks_.size() + width_, 0);
  std::uint32_t* const own = clocks_.data() + static_cast<std::size_t>(e) * width_;
  for (const EventId cause : causes) {
    const std::uint32_t* const theirs = clock(cause);
    for (std::size_t p = 0; p < width_; ++p) own[p] = std::max(own[p], theirs[p]);
  }
  add_slots(e, surroundings);  // while the clock is still that of the history
  clocks_[static_cast<std::size_t>(e) * width_ + record.process] = record.position;
  return e;
}

void EventStructure::fill_table(std::size_t size) {
  table_.assign(size, kNoEvent);
  for (EventId e = 0; e < events_.size(); ++e) {
    std::size_t at = place(names_[e]);
    while (table_[at] != kNoEvent) at = (at + 1) & (size - 1);
    table_[at] = e;
  }
}

void EventStructure::add_slots(EventId e, const Surroundings& surroundings) {
  const auto uses = labels_.uses(events_[e].label);
  events_[e].slots_begin = static_cast<std::uint32_t>(slots_.size());
  events_[e].slots_count = static_cast<std::uint8_t>(uses.size() + 1);
  slots_.push_back({events_[e].process, true, events_[e].previous, kNoEvent, kNoEvent, kNoGroup, kNoGroup});
  for (const Use& use : uses)
    slots_.push_back({use.resource, use.total, surroundings.last_total(use.resource, clock(e)), kNoEvent, kNoEvent,
                      kNoGroup, kNoGroup});
}

const Slot& EventStructure::slot_on(EventId e, ResourceId resource) const {
  for (const Slot& slot : slots(e).subspan(1))
    if (slot.resource == resource) return slot;
  MZ_INVARIANT(false, "an event has a slot for each of its resources");
}

std::uint32_t EventStructure::groups_on(ResourceId resource, EventId anchor) const {
  if (anchor != kNoEvent) return slot_on(anchor, resource).anchored;
  return resource < resource_roots_.size() ? resource_roots_[resource] : kNoGroup;
}

std::uint32_t EventStructure::groups_of(ProcessIndex process, EventId previous) const {
  if (previous != kNoEvent) return slots(previous)[0].anchored;
  return process < process_roots_.size() ? process_roots_[process] : kNoGroup;
}

Slot& EventStructure::own_slot(EventId e, ResourceId resource, bool of_process) {
  return const_cast<Slot&>(of_process ? slots(e)[0] : slot_on(e, resource));
}

Group& EventStructure::group_for(LabelId label, Slot& slot, bool of_process) {
  if (slot.group != kNoGroup) return groups_[slot.group];
  auto& roots = of_process ? process_roots_ : resource_roots_;
  if (slot.anchor == kNoEvent && slot.resource >= roots.size()) roots.resize(slot.resource + 1, kNoGroup);
  std::uint32_t& first =
      slot.anchor == kNoEvent ? roots[slot.resource] : own_slot(slot.anchor, slot.resource, of_process).anchored;
  slot.group = first;
  while (slot.group != kNoGroup && groups_[slot.group].label != label) slot.group = groups_[slot.group].next;
  if (slot.group == kNoGroup) {
    slot.group = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({label, kNoEvent, first});
    first = slot.group;
  }
  return groups_[slot.group];
}

void EventStructure::list(EventId e) {
  if (events_[e].listed) return;
  events_[e].listed = true;
  for (std::uint32_t i = 0; i < events_[e].slots_count; ++i) {
    Slot& slot = slots_[events_[e].slots_begin + i];
    Group& group = group_for(events_[e].label, slot, i == 0);
    slot.next = group.first;
    slot.before = kNoEvent;
    if (slot.next != kNoEvent) own_slot(slot.next, slot.resource, i == 0).before = e;
    group.first = e;
  }
}

void EventStructure::unlist(EventId e) {
  if (!events_[e].listed) return;
  events_[e].listed = false;
  for (std::uint32_t i = 0; i < events_[e].slots_count; ++i) {
    Slot& slot = slots_[events_[e].slots_begin + i];
    if (slot.next != kNoEvent) own_slot(slot.next, slot.resource, i == 0).before = slot.before;
    if (slot.before != kNoEvent) {
      own_slot(slot.before, slot.resource, i == 0).next = slot.next;
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
    if (!events_[e].listed) continue;
    events_[e].listed = false;
    list(e);
  }
}

void EventStructure::widen(std::size_t processes) {
  if (processes <= width_) return;
  const std::size_t width = std::max(processes, width_ + width_ / 2);
  HugeVector<std::uint32_t> clocks(clocks_.size() / width_ * width, 0);
  for (std::size_t e = 0; e * width_ < clocks_.size(); ++e)
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(e * width_), width_,
                clocks.begin() + static_cast<std::ptrdiff_t>(e * width));
  clocks_ = std::move(clocks);
  width_ = width;
}

std::vector<EventId> EventStructure::compact(const std::vector<char>& keep) {
  std::vector<EventId> renumbered(events_.size(), kNoEvent);
  std::size_t kept = 0;
  std::size_t causes_end = 0;
  std::size_t slots_end = 0;
  const auto renumber = [&](EventId& e) {
    if (e == kNoEvent) return;
    MZ_INVARIANT(renumbered[e] != kNoEvent, "what is kept of the unfolding is closed under causes");
    e = renumbered[e];
  };
  for (std::size_t e = 0; e < events_.size(); ++e) {
    if (keep[e] == 0) continue;
    renumbered[e] = static_cast<EventId>(kept);
    Record record = events_[e];
    renumber(record.previous);
    record.follower = kNoEvent;
    for (std::size_t i = 0; i < record.causes_count; ++i) {
      causes_[causes_end + i] = causes_[record.causes_begin + i];
      renumber(causes_[causes_end + i]);
    }
    for (std::size_t i = 0; i < record.slots_count; ++i) {
      Slot slot = slots_[record.slots_begin + i];
      renumber(slot.anchor);
      slot.group = kNoGroup;
      slot.anchored = kNoGroup;
      slots_[slots_end + i] = slot;
    }
    record.causes_begin = static_cast<std::uint32_t>(causes_end);
    record.slots_begin = static_cast<std::uint32_t>(slots_end);
    causes_end += record.causes_count;
    slots_end += record.slots_count;
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(e * width_), width_,
                clocks_.begin() + static_cast<std::ptrdiff_t>(kept * width_));
    names_[kept] = names_[e];
    events_[kept++] = record;
  }
  events_.resize(kept);
  names_.resize(kept);
  causes_.resize(causes_end);
  slots_.resize(slots_end);
  clocks_.resize(kept * width_);
  relist();
  fill_table(table_.size());
  return renumbered;
}

namespace {

/// A history as it is, without an index.
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

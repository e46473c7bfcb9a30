#include "dpor/deliveries.hpp"

#include <algorithm>

#include "core/observation.hpp"

namespace mazurka::dpor {

std::size_t Deliveries::update(const std::vector<Event>& events, std::size_t known) {
  truncate(std::min(known, entries_.size()));
  for (auto i = static_cast<EventIndex>(entries_.size()); i < events.size(); ++i) append(events, i);
  std::size_t same = known;
  if (mailboxes_.empty()) return same;
  // A message taken inside the common prefix, or never, has not changed. For any other, the orders with later
  // deliveries may have appeared or vanished.
  for (std::size_t i = 0; i < std::min(known, entries_.size()); ++i) {
    const Entry& entry = entries_[i];
    if (!entry.send || entry.previous == kNoEvent || i >= same) continue;
    for (EventIndex earlier = entry.previous; earlier != kNoEvent && i < same; earlier = entries_[earlier].previous) {
      const Entry& other = entries_[earlier];
      const bool unchanged = other.partner == other.was_partner && (other.partner == kNoEvent || other.partner < known);
      if (!unchanged) same = i;
    }
  }
  for (Entry& entry : entries_) entry.was_partner = entry.partner;
  return same;
}

void Deliveries::truncate(std::size_t length) {
  while (entries_.size() > length) {
    const Entry& last = entries_.back();
    if (last.send)
      mailboxes_[last.mailbox].last = last.previous;
    else if (last.partner != kNoEvent)
      entries_[last.partner].partner = kNoEvent;
    entries_.pop_back();
  }
}

void Deliveries::append(const std::vector<Event>& events, EventIndex i) {
  const Operation& operation = events[i].operation;
  entries_.emplace_back();
  if (operation.kind == OperationKind::MailboxSend) {
    auto mailbox = std::find_if(mailboxes_.begin(), mailboxes_.end(),
                                [&](const Mailbox& known) { return known.object == operation.object; });
    if (mailbox == mailboxes_.end()) mailbox = mailboxes_.insert(mailbox, {operation.object, kNoEvent});
    const auto number = static_cast<std::uint32_t>(mailbox - mailboxes_.begin());
    entries_[i] = {true, kNoEvent, kNoEvent, mailbox->last, number};
    mailbox->last = i;
  } else if (takes_message(operation)) {
    EventIndex send = last(operation);
    while (send != kNoEvent && events[send].operation.message() != operation.message()) send = entries_[send].previous;
    if (send == kNoEvent) return;  // sent inside an atomic section
    entries_[i].partner = send;
    entries_[send].partner = i;
  }
}

EventIndex Deliveries::last(const Operation& operation) const {
  for (const Mailbox& mailbox : mailboxes_)
    if (mailbox.object == operation.object) return mailbox.last;
  return kNoEvent;
}

bool Deliveries::ordered(const std::vector<Event>& events, EventIndex first, EventIndex second) const {
  if (!are_deliveries(events[first].operation, events[second].operation)) return true;
  const EventIndex receive = entries_[first].partner;
  if (receive == kNoEvent || !events[receive].operation.matches(events[second].operation.tag())) return false;
  return entries_[second].partner == kNoEvent || entries_[second].partner > receive;
}

std::span<const EventIndex> Deliveries::before(const std::vector<Event>& events, EventIndex i) {
  before_.clear();
  for (EventIndex earlier = entries_[i].previous; earlier != kNoEvent; earlier = entries_[earlier].previous)
    if (ordered(events, earlier, i)) before_.push_back(earlier);
  return before_;
}

}  // namespace mazurka::dpor

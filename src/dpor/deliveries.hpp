// Which deliveries of an execution are ordered (§6 of *Optimal DPOR with Observers*, *Observers in Concuerror*). Two
// deliveries to one mailbox are ordered if a receive takes the first, matches the second, and no earlier receive has
// taken the second. That receive is the observer of their race. It may precede the second delivery: had that come
// first, the receive would have taken it.
//
// Computed incrementally, so that executions with a common prefix share the work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/execution.hpp"

namespace mazurka::dpor {

class Deliveries {
 public:
  /// \pre The first `known` events are those of the last call. Returns the length of the prefix whose happens-before is
  /// unchanged: a receive after the prefix may order deliveries inside it, or no longer do so.
  std::size_t update(const std::vector<Event>& events, std::size_t known);

  /// Whether two deliveries to one mailbox are ordered. \pre `first` precedes `second`.
  bool ordered(const std::vector<Event>& events, EventIndex first, EventIndex second) const;
  /// The deliveries that happen before the delivery i, latest first. Valid until the next call.
  std::span<const EventIndex> before(const std::vector<Event>& events, EventIndex i);

  /// The delivery of the message that event i takes; kNoEvent if it takes none.
  EventIndex taken_by(EventIndex i) const { return entries_[i].send ? kNoEvent : entries_[i].partner; }
  /// The latest delivery to the mailbox that event i acts on, and the one before a delivery; kNoEvent if there is none.
  EventIndex last(const Operation& operation) const;
  EventIndex previous(EventIndex delivery) const { return entries_[delivery].previous; }

 private:
  struct Entry {
    bool send = false;
    EventIndex partner = kNoEvent;      // of a delivery the receive that takes it, of a receive the delivery
    EventIndex was_partner = kNoEvent;  // of a delivery, when update() returned last
    EventIndex previous = kNoEvent;     // delivery to the same mailbox
    std::uint32_t mailbox = 0;          // of a delivery
  };
  struct Mailbox {
    std::uint64_t object;
    EventIndex last = kNoEvent;
  };

  void append(const std::vector<Event>& events, EventIndex i);
  void truncate(std::size_t length);

  std::vector<Entry> entries_;
  std::vector<Mailbox> mailboxes_;
  std::vector<EventIndex> before_;
};

}  // namespace mazurka::dpor

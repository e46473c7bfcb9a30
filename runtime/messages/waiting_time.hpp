// The time-out of a call that watches several descriptors.
#pragma once

#include <cstdint>

#include "runtime/messages/descriptors.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// The earliest expiry of the timers that a call watches, and the call's own deadline.
struct WaitingTime {
  std::uint64_t now;                          ///< the thread's clock
  std::uint64_t deadline = Prospect::kNever;  ///< of the call
  std::uint64_t expiry = Prospect::kNever;
  Channel* timer = nullptr;

  WaitingTime(const Thread& thread, long long nanoseconds) : now(thread.clock) {
    if (nanoseconds > 0) deadline = now + static_cast<std::uint64_t>(nanoseconds);
  }
  void watch(Channel& channel) {
    Channel* found = &channel;
    const std::uint64_t first = is_timer(channel) ? expiry_of(channel) : first_expiry_of(channel, &found);
    if (first >= expiry || first <= now) return;
    expiry = first;
    timer = found;
  }
  bool is_timer_first() const { return timer != nullptr && expiry <= deadline; }
  Prospect prospect(bool ready) const { return {ready, is_timer_first() ? expiry : deadline, is_timer_first(), false}; }
  /// Time passes until the timer expires or the call times out.
  void pass() const {
    if (is_timer_first())
      expire(*timer);
    else if (deadline != Prospect::kNever && deadline > self().clock)
      self().clock = deadline;
  }
};

}  // namespace mazurka::runtime

// How long a call that watches several descriptors waits.
#pragma once

#include <cstdint>

#include "runtime/messages/descriptors.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// The first timer to expire among those that a call watches, and the end of its patience.
struct WaitingTime {
  std::uint64_t deadline = kNeverExpires;  ///< of the call, on the scale of Thread::clock
  std::uint64_t expiry = kNeverExpires;
  Channel* timer = nullptr;

  void watch(Channel& channel) {
    Channel* found = &channel;
    const std::uint64_t own = expiry_of(channel);
    const std::uint64_t first = own != kNeverExpires ? own : first_expiry_of(channel, &found);
    if (first >= expiry) return;
    expiry = first;
    timer = found;
  }
  /// What thread.ready is to say of it.
  unsigned bits() const {
    return (timer != nullptr ? kTimerMayExpire : 0) | (deadline != kNeverExpires ? kGivesUp : 0);
  }
  /// Time passes: until the timer expires, or the call gives up.
  void pass() const {
    if (timer != nullptr && expiry <= deadline)
      expire(*timer);
    else if (deadline > self().clock)
      self().clock = deadline;
  }
};

}  // namespace mazurka::runtime

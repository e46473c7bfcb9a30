// Virtual time.
#pragma once

#include <cstdint>

#include <time.h>

namespace mazurka::runtime {

/// Advances the running thread's clock to at least `date`, on the scale of since_start(), or `deadline`.
void reach(std::uint64_t date);
void reach(clockid_t clock, const timespec* deadline);

/// What clock_gettime() returns.
timespec read_clock(clockid_t clock);
/// A step that takes so long.
void sleep_for(const timespec& duration, std::uint64_t site);

/// The date at this distance from now.
timespec deadline_after(clockid_t clock, const timespec& distance);

/// Whether the kernel accepts its nanoseconds; null is no time at all, which it accepts.
inline bool is_valid(const timespec* time) {
  return time == nullptr || (time->tv_nsec >= 0 && time->tv_nsec < 1'000'000'000);
}

/// Converts a date to the scale of Thread::clock; 0 if it is invalid or before the start.
std::uint64_t since_start(clockid_t clock, const timespec* date);

}  // namespace mazurka::runtime

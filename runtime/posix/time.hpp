// Virtual time.
#pragma once

#include <cstdint>

#include <time.h>

namespace mazurka::runtime {

/// The virtual time of the running thread becomes at least `deadline`.
void reach(clockid_t clock, const timespec* deadline);

/// The date so far from now.
timespec deadline_after(clockid_t clock, const timespec& distance);

/// A date on the scale of the clocks of threads; 0 if it is none, or before the start.
std::uint64_t since_start(clockid_t clock, const timespec* date);

}  // namespace mazurka::runtime

// Virtual time.
#pragma once

#include <cstdint>

#include <time.h>

namespace mazurka::runtime {

/// The virtual time of the running thread becomes at least `deadline`.
void reach(clockid_t clock, const timespec* deadline);

}  // namespace mazurka::runtime

// Catches system calls that change files or descriptors wherever they are made: the C library makes its own without
// going through functions that can be replaced.
#pragma once

#include "runtime/export.hpp"

namespace mazurka::runtime {

/// From now on those of this thread, but for the runtime's own, end in file_calls.hpp. Where the kernel does not allow
/// it calls that need it are refused.
void trap_system_calls();
/// Whether it did.
MAZURKA_SHARED bool trapping_system_calls;

}  // namespace mazurka::runtime

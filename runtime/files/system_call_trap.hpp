// Traps system calls that change files or descriptors, wherever they are made: the C library makes its own without
// going through functions that could be interposed.
#pragma once

#include "runtime/export.hpp"

namespace mazurka::runtime {

/// From now on such calls of this thread, except for the runtime's own, end in file_calls.hpp. If the kernel does not
/// permit that, functions that need it are refused.
void trap_system_calls();
/// Whether trapping is on.
MAZURKA_SHARED bool trapping_system_calls;

}  // namespace mazurka::runtime

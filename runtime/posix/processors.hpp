// The number of CPUs that the program sees.
#pragma once

#include <cstddef>

namespace mazurka::runtime {

/// Freezes the CPU count that the program sees: the one that holds for this process now.
void note_processors();

/// Like the system call: returns the number of bytes written, or -errno.
long get_affinity(std::size_t bytes, void* mask);

}  // namespace mazurka::runtime

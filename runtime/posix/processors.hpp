// How many processors the program is told of.
#pragma once

#include <cstddef>

namespace mazurka::runtime {

/// Freezes the CPU count that the program sees: the one that holds for this process now.
void note_processors();

/// As the system call: the bytes written, or an error number below 0.
long get_affinity(std::size_t bytes, void* mask);

}  // namespace mazurka::runtime

// How many processors the program is told of.
#pragma once

#include <cstddef>

namespace mazurka::runtime {

/// From now on that many as there are for this process now.
void note_processors();

/// As the system call: the bytes written, or an error number below 0.
long get_affinity(std::size_t bytes, void* mask);

}  // namespace mazurka::runtime

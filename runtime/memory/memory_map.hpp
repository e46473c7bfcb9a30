// Changes of the program's memory map.
#pragma once

#include <cstddef>

#include "runtime/hooks/buffers.hpp"

namespace mazurka::runtime {

/// madvise() of a program.
int advise(void* address, std::size_t bytes, int advice, const Caller& caller);

}  // namespace mazurka::runtime

// Memory accesses that are not atomic: the hooks that the compiler inserts, and those of functions on ranges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state.hpp"

namespace mazurka::runtime {

void visible_range(bool write, const volatile void* address, std::size_t bytes, std::uint64_t site);

}  // namespace mazurka::runtime

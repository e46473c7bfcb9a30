// Anonymous memory from the kernel.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Maps zeroed memory at this address; false if it is occupied.
bool try_map(std::uint64_t address, std::uint64_t bytes);
/// The same, but fails the execution if the address is occupied.
void map_at(std::uint64_t address, std::uint64_t bytes);
/// Maps zeroed memory at any address; null if there is none.
void* map_anywhere(std::uint64_t bytes);

}  // namespace mazurka::runtime

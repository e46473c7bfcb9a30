// Memory from the kernel.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Maps zeroed memory at this address. False where that is not free.
bool try_map(std::uint64_t address, std::uint64_t bytes);
/// The same for what cannot do without: ends the execution where it is not free.
void map_at(std::uint64_t address, std::uint64_t bytes);
/// Maps zeroed memory wherever there is room; null if nowhere.
void* map_anywhere(std::uint64_t bytes);

}  // namespace mazurka::runtime

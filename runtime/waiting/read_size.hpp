// The number of bytes that an instruction reads from memory.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Upper bound.
inline constexpr std::uint32_t kWidestRead = 64;

/// Exact for moves, comparisons and arithmetic on integers; kWidestRead for everything else.
std::uint32_t read_size(const std::uint8_t* instruction);

}  // namespace mazurka::runtime

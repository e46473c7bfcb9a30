// How many bytes an instruction reads from memory.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// At most this many.
inline constexpr std::uint32_t kWidestRead = 64;

/// Exact for the moves, comparisons and arithmetic that read integers; kWidestRead for everything else.
std::uint32_t read_size(const std::uint8_t* instruction);

}  // namespace mazurka::runtime

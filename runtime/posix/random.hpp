// The pseudo-random number generator behind all sources of randomness.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka::runtime {

/// The next number; every state is valid.
std::uint64_t advance(std::uint64_t& state);
/// What getrandom() returns.
void fill_at_random(void* buffer, std::size_t bytes);

}  // namespace mazurka::runtime

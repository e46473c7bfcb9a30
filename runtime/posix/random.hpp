// The pseudo-random number generator behind all sources of randomness.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The next number; every state is valid.
std::uint64_t advance(std::uint64_t& state);

}  // namespace mazurka::runtime

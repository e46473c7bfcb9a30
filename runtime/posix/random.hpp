// The generator of all numbers that should be random.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The next number; any state will do.
std::uint64_t advance(std::uint64_t& state);

}  // namespace mazurka::runtime

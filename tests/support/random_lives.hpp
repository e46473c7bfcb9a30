// Random small C programs whose threads initialise, use, destroy, overwrite and free what they share: a block with a
// mutex, a semaphore, a reader-writer lock, a barrier, a spin lock, a condition variable and plain and atomic words in
// it. For explorations in which plain accesses are steps. Laid out as random_program.hpp says.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka::testing {

std::string random_life(std::uint64_t seed);
std::string random_lives(std::uint64_t first, std::uint64_t count);

}  // namespace mazurka::testing

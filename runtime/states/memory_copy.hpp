// A copy of the program's memory as it was before the last step, and what has changed since.
#pragma once

#include <cstdint>

#include "core/state_hash.hpp"

namespace mazurka::runtime {

/// Maps the memory of the copies. To be called once.
void prepare_copies();

/// Copies everything that is part of the state.
void copy_memory();

/// Adds to `delta` what has changed since, and brings the copies up to date.
void compare_memory(StateHash& delta);

/// What a byte adds to the hash of a state.
inline StateHash hash_of_byte(std::uint64_t address, std::uint64_t value) {
  return value == 0 ? StateHash{} : hash_of(address, value);
}

}  // namespace mazurka::runtime

// A copy of the program's memory as it was before the last step, and what has changed since.
#pragma once

#include <cstdint>

#include "core/state_hash.hpp"
#include "runtime/states/step_change.hpp"

namespace mazurka::runtime {

/// Maps the memory of the copies. To be called once.
void prepare_copies();

/// Copies everything that is part of the state.
void copy_memory();

/// Adds what has changed since, and brings the copies up to date.
void compare_memory(StepChange& change);

/// What a byte adds to the hash of a state.
inline StateHash hash_of_byte(std::uint64_t address, std::uint64_t value) {
  return value == 0 ? StateHash{} : hash_of(address, value);
}

}  // namespace mazurka::runtime

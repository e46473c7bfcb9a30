// A shadow copy of the program's memory before the last step, to find what the step changed.
#pragma once

#include <cstdint>

#include "core/state_hash.hpp"
#include "runtime/states/step_change.hpp"

namespace mazurka::runtime {

/// Maps the memory of the copy. Call once.
void prepare_copies();

/// Copies everything that is part of the state.
void copy_memory();

/// Adds the changes since the last copy to `change`, and updates the copy.
void compare_memory(StepChange& change);

/// The contribution of a byte to the state hash.
inline StateHash hash_of_byte(std::uint64_t address, std::uint64_t value) {
  return value == 0 ? StateHash{} : hash_of(address, value);
}

}  // namespace mazurka::runtime

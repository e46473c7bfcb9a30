// The delta of a step, while it is computed.
#pragma once

#include <cstdint>

#include "core/state_hash.hpp"

namespace mazurka::runtime {

struct StepChange {
  StateHash own;           ///< in the stack and the places of the thread that took the step
  StateHash shared;        ///< everywhere else
  bool is_own = false;     ///< where the next change belongs
  bool is_listed = false;  ///< also list the places, for the explorer (Settings::keeps_bytes)

  void add(const StateHash& change) { (is_own ? own : shared) ^= change; }
};

/// Lists a changed place, or several in one word.
void list_difference(std::uint64_t place, std::uint64_t bits);

}  // namespace mazurka::runtime

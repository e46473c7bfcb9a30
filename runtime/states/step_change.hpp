// What a step changed, as far as it has been looked at.
#pragma once

#include <cstdint>

#include "core/state_hash.hpp"

namespace mazurka::runtime {

struct StepChange {
  StateHash own;           ///< of the stack and the places of the thread that took it
  StateHash shared;        ///< of everything else
  bool is_own = false;     ///< where what is added next lies
  bool is_listed = false;  ///< places are listed too, for the explorer (Settings::keeps_bytes)

  void add(const StateHash& change) { (is_own ? own : shared) ^= change; }
};

/// Lists a place, or several that lie in a word.
void list_difference(std::uint64_t place, std::uint64_t bits);

}  // namespace mazurka::runtime

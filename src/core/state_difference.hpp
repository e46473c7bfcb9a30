// The exact change of a state by a step, location by location and without hashing, for exact comparison of states
// (--exact).
//
// A location holds a word; its difference is the exclusive or of the word before and after the step. The differences of
// the events of a configuration, in any order, lead from the initial state to the state of the configuration, like the
// deltas of core/state_hash.hpp. Two configurations lead to the same state if and only if their accumulated differences
// are equal.
#pragma once

#include <cstdint>

namespace mazurka {

struct StateDifference {
  std::uint64_t place = 0;
  std::uint64_t bits = 0;  ///< the bits that change

  bool operator==(const StateDifference&) const = default;
};

}  // namespace mazurka

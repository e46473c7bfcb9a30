// What a step changed in the state, place by place, with nothing hashed: for those who want to compare states exactly
// (--exact).
//
// A place holds a word, and the difference is the exclusive or of what it held before the step and after. So the
// differences of the events of a configuration, in any order, lead from the initial state to that of the configuration,
// as their deltas do (core/state_hash.hpp). Two configurations lead to the same state iff their differences add up to
// the same ones.
#pragma once

#include <cstdint>

namespace mazurka {

struct StateDifference {
  std::uint64_t place = 0;
  std::uint64_t bits = 0;  ///< those that are different

  bool operator==(const StateDifference&) const = default;
};

}  // namespace mazurka

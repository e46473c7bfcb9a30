// What an executor is asked for: a schedule to follow, how to go on after it, and limits.
#pragma once

#include <cstdint>
#include <span>

#include "core/step.hpp"

namespace mazurka {

struct Job {
  std::span<const Step> prefix;
  Continuation continuation = Continuation::First;
  std::uint64_t seed = 0;
  std::span<const Sleeper> sleep;    ///< asleep after the prefix; the continuation never takes such a step
  std::span<const Sleeper> put_off;  ///< steps not taken at all, nor any other that depends on the first of them
  std::uint64_t max_steps = UINT64_MAX;
  bool begun = false;  ///< it was announced by Executor::begin
};

}  // namespace mazurka

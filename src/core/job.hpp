// What an executor is asked for. A job owns all it consists of, so that it can be kept, queued or sent elsewhere;
// whoever makes many of them changes one, whose memory is then used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bound.hpp"
#include "core/guidance.hpp"
#include "core/step.hpp"

namespace mazurka {

struct Job {
  std::vector<Step> prefix;  ///< followed exactly
  Continuation continuation = Continuation::First;
  std::uint64_t seed = 0;
  Guidance guidance;             ///< of a continuation by priorities
  std::vector<Sleeper> sleep;    ///< asleep after the prefix; the continuation never takes such a step
  std::vector<Sleeper> put_off;  ///< steps not taken at all, nor any other that depends on the first of them
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound;                  ///< how far each process goes after the prefix
  bool deltas = false;          ///< the execution is to say what each event changed,
  std::size_t deltas_from = 0;  ///< from this one on
  bool learns = false;          ///< the system may find out something that changes its version (executor.hpp)
};

/// Names a job that was submitted and has not been collected.
struct JobHandle {
  std::uint32_t number = 0;
};

}  // namespace mazurka

// What an explorer asks an executor for. A job owns all its data, so it can be copied, queued or sent; an explorer that
// makes many jobs changes one in place, to reuse its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bound.hpp"
#include "core/guidance.hpp"
#include "core/step.hpp"

namespace mazurka {

struct Job {
  std::vector<Step> prefix;  ///< replayed exactly
  Continuation continuation = Continuation::First;
  std::uint64_t seed = 0;
  Guidance guidance;               ///< for sampling continuations
  std::vector<Sleeper> sleep;      ///< the sleep set after the prefix; the continuation never takes such a step
  std::vector<Sleeper> postponed;  ///< postponed steps; steps dependent on the first are held back too
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound;                  ///< how far each process may run after the prefix
  bool deltas = false;          ///< the execution shall report how each event changed the state,
  std::size_t deltas_from = 0;  ///< starting with this event
  bool learns = false;          ///< the executor may learn something that changes its version (executor.hpp)
};

/// Identifies a job that was submitted and not yet collected.
struct JobHandle {
  std::uint32_t number = 0;
};

}  // namespace mazurka

// Samples executions: finds bugs fast, proves nothing.
//
// A program that does not end would spend all the time on a few executions of the greatest length. Once one is longer
// than those of programs that do end are, the lengths are those of Luby's sequence (Luby, Sinclair, Zuckerman: *Optimal
// Speedup of Las Vegas Algorithms*, 1993): mostly short, and each twice as long half as often.
#pragma once

#include <cstdint>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"
#include "walk/coverage.hpp"
#include "walk/sampler.hpp"

namespace mazurka::walk {

struct SamplingOptions {
  std::uint64_t seed = 0;  ///< execution i uses seed + i
  std::uint64_t executions = 10'000;
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound = {};              ///< of each process
  Coverage* coverage = nullptr;  ///< what was seen is noted there
};

/// Runs until the listener says stop, the number is reached or the user interrupts. Executions may repeat each other,
/// so `executions` counts runs, not classes.
Statistics sample(Executor& executor, Sampler& sampler, const SamplingOptions& options, Listener& listener);

}  // namespace mazurka::walk

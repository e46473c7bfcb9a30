// Samples executions: finds bugs fast, proves nothing.
//
// A program that does not terminate would spend all the time on a few executions of maximal length. So once an
// execution is longer than those of terminating programs usually are, lengths follow Luby's sequence (Luby, Sinclair,
// Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, 1993): mostly short, and each doubling of the length half as
// often.
#pragma once

#include <cstdint>
#include <vector>

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
  Bound bound = {};              ///< per process
  Coverage* coverage = nullptr;  ///< updated with each execution, if not null
};

/// Runs until the listener stops it, the number of executions is reached or the user interrupts. Executions may repeat,
/// so `executions` counts runs, not classes.
Statistics sample(Executor& executor, Sampler& sampler, const SamplingOptions& options, Listener& listener);
/// The same with several executors of one system at the same time: the same executions, told to the listener in the
/// same order. \pre There is one executor, or the sampler learns nothing.
Statistics sample(const std::vector<Executor*>& executors, Sampler& sampler, const SamplingOptions& options,
                  Listener& listener);

}  // namespace mazurka::walk

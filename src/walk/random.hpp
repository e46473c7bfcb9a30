// Random walks: each execution chooses uniformly among the enabled steps. Finds shallow bugs fast, proves nothing.
//
// A program that does not end would spend all the time on a few walks of the greatest length. Once a walk is longer
// than those of programs that do end are, the lengths are those of Luby's sequence (Luby, Sinclair, Zuckerman: *Optimal
// Speedup of Las Vegas Algorithms*, 1993): mostly short, and each twice as long half as often.
#pragma once

#include <cstdint>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"

namespace mazurka::walk {

struct RandomOptions {
  std::uint64_t seed = 0;  ///< execution i uses seed + i, so that any one of them can be had again by itself
  std::uint64_t executions = 10'000;
  std::uint64_t max_steps = UINT64_MAX;
  Bound bound = {};  ///< of each process
};

/// Runs until the listener says stop, the number is reached or the user interrupts. Executions may repeat each other,
/// so `executions` counts runs, not classes.
Statistics explore_random(Executor& executor, const RandomOptions& options, Listener& listener);

}  // namespace mazurka::walk

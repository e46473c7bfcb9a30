// Makes a failing schedule easy to follow: fewest context switches, then fewest steps, that still fail with the same
// error. What decides is always a run of the candidate, never reasoning about it.
//
// 1. Steps that the failure does not depend on are left out (nothing is left out of a deadlock, which needs everybody).
// 2. Inside the class of executions that differ in the order of independent steps only, the order with the fewest
//    switches is computed (linearise.hpp).
// 3. Blocks of steps of one thread are brought together across dependent steps, where the failure survives it.
// 4. All schedules with fewer switches are tried, in order of their number, as long as there are runs left
//    (block_search.hpp). If that ends before them, the result is a minimum.
//
// The same input gives the same result, unless `patience` ends the work.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/executor.hpp"
#include "core/names.hpp"

namespace mazurka::report {

struct MinimiseOptions {
  std::uint64_t max_runs = 20'000;
  std::chrono::milliseconds patience{5'000};
};

struct Minimised {
  Execution execution;
  std::size_t switches_before = 0;
  std::size_t switches = 0;
  std::uint64_t runs = 0;
  bool minimal = false;  ///< no schedule with fewer switches fails so
};

Minimised minimise(Executor& executor, const Names& names, const Execution& failing, const MinimiseOptions& options);

}  // namespace mazurka::report

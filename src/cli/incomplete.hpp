// Why the exploration of `check` proves nothing: which limits it met.
#pragma once

#include <vector>

#include "cli/explore.hpp"
#include "report/incomplete.hpp"
#include "report/reach.hpp"

namespace mazurka::cli {

/// What ended a search from outside.
struct Stop {
  double time_limit = 0;  ///< seconds; 0: none
  bool out_of_time = false;
};

/// \pre The exploration is not complete, or no execution came to its end.
std::vector<report::Incompleteness> why_incomplete(const ExploreOptions& options, const ExplorationResult& exploration,
                                                   const report::Reach& reach, const Stop& stop, bool is_program);

/// How many different executions were sampled, in a sentence; empty where that was not counted.
std::string what_was_sampled(const ExplorationResult& exploration);

/// Ctrl-C, SIGTERM, or a time limit (0: there is none) that is over.
report::Incompleteness interrupt_reason(double time_limit);

}  // namespace mazurka::cli

// What an exploration counts. The names are the ones users see, in text and in JSON.
#pragma once

#include <cstdint>

namespace mazurka {

struct Statistics {
  std::uint64_t executions = 0;  ///< complete and distinct
  std::uint64_t blocked = 0;     ///< redundant: sleep-set blocked
  std::uint64_t cut = 0;         ///< ended by an assumption, a limit or a cutoff
  std::uint64_t limited = 0;     ///< of the cut ones, those that a limit ended: what they would have done is not known
  std::uint64_t errors = 0;      ///< of the complete ones, those that end in an error
  std::uint64_t events = 0;      ///< visible steps in all of them
  std::uint64_t max_depth = 0;   ///< of the longest
  double estimate = 0;           ///< of all executions there will be; 0 where nothing is known
  double estimate_deviation = 0;

  double executions_per_second(double seconds) const {
    return seconds > 0 ? static_cast<double>(executions) / seconds : 0.0;
  }
};

}  // namespace mazurka

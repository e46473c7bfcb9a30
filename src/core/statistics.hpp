// What an exploration counts. The names are the ones users see, in text and in JSON.
#pragma once

#include <cstdint>

namespace mazurka {

struct Statistics {
  std::uint64_t executions = 0;  ///< complete and distinct
  std::uint64_t blocked = 0;     ///< redundant: sleep-set blocked
  std::uint64_t cut = 0;         ///< ended by an assumption, a limit or a cutoff
  std::uint64_t by_cutoff = 0;   ///< of the cut ones, those that could only repeat what is explored elsewhere
  std::uint64_t cutoffs = 0;     ///< events beyond which nothing was explored: states were, but not all executions
  std::uint64_t limited = 0;     ///< of the cut ones, those that a limit ended: what they would have done is not known
  std::uint64_t stopped_by_length = 0;  ///< executions in which something went no further because of a limit or bound:
  std::uint64_t stopped_by_steps = 0;   ///< kStoppedBy… says which
  std::uint64_t stopped_by_threads = 0;
  std::uint64_t stopped_by_table = 0;
  std::uint64_t stopped_by_loop = 0;  ///< nothing of that: threads waited in loops that read plain memory
  std::uint64_t errors = 0;           ///< of the complete ones, those that end in an error
  std::uint64_t events = 0;           ///< visible steps in all of them
  std::uint64_t max_depth = 0;        ///< of the longest
  double estimate = 0;                ///< of all executions there will be; 0 where nothing is known
  double estimate_deviation = 0;

  /// Whether something might have gone on that did not.
  bool is_cut() const {
    return limited + stopped_by_length + stopped_by_steps + stopped_by_threads + stopped_by_table != 0;
  }
  std::uint64_t runs() const { return executions + blocked + cut; }
  double executions_per_second(double seconds) const {
    return seconds > 0 ? static_cast<double>(executions) / seconds : 0.0;
  }
};

}  // namespace mazurka

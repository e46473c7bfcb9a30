// What an exploration counts. The names are the ones users see, in text and in JSON.
#pragma once

#include <cstdint>

namespace mazurka {

struct Statistics {
  std::uint64_t executions = 0;  ///< complete and distinct
  std::uint64_t blocked = 0;     ///< redundant: sleep-set blocked
  std::uint64_t cut = 0;         ///< ended by an assumption, a limit or a cutoff
  std::uint64_t by_cutoff = 0;   ///< of these, those ended by a cutoff: their continuations are explored elsewhere
  std::uint64_t cutoffs = 0;     ///< cutoff events: all states were explored, but not all executions
  std::uint64_t limited = 0;     ///< of the cut ones, those ended by a limit: their continuations are unknown
  std::uint64_t stopped_by_length = 0;  ///< executions in which a limit or bound stopped some process:
  std::uint64_t stopped_by_steps = 0;   ///< kStoppedBy… says which
  std::uint64_t stopped_by_threads = 0;
  std::uint64_t stopped_by_table = 0;
  std::uint64_t stopped_by_loop = 0;  ///< not those: threads waited in loops that read plain memory
  std::uint64_t errors = 0;           ///< of the complete ones, those that failed
  std::uint64_t events = 0;           ///< visible steps in all executions
  std::uint64_t max_depth = 0;        ///< length of the longest execution
  double estimate = 0;                ///< of the final number of executions; 0 if unknown
  double estimate_deviation = 0;
  double waited = 0;  ///< seconds in which several explorers had nothing to explore, together
  double busy = 0;    ///< the share of the time in which they had something; 0 if there is one

  /// Adds what another explorer of the same system has counted. The estimates are of the same number.
  void add(const Statistics& other) {
    const auto weight = static_cast<double>(runs());
    const auto others = static_cast<double>(other.runs());
    if (weight + others > 0) {
      estimate = (estimate * weight + other.estimate * others) / (weight + others);
      estimate_deviation = (estimate_deviation * weight + other.estimate_deviation * others) / (weight + others);
    }
    executions += other.executions;
    blocked += other.blocked;
    cut += other.cut;
    by_cutoff += other.by_cutoff;
    cutoffs += other.cutoffs;
    limited += other.limited;
    stopped_by_length += other.stopped_by_length;
    stopped_by_steps += other.stopped_by_steps;
    stopped_by_threads += other.stopped_by_threads;
    stopped_by_table += other.stopped_by_table;
    stopped_by_loop += other.stopped_by_loop;
    errors += other.errors;
    waited += other.waited;
    events += other.events;
    if (other.max_depth > max_depth) max_depth = other.max_depth;
  }

  /// Whether some process was stopped that could have continued.
  bool is_cut() const {
    return limited + stopped_by_length + stopped_by_steps + stopped_by_threads + stopped_by_table != 0;
  }
  std::uint64_t runs() const { return executions + blocked + cut; }
  /// Blocked ones and those that were cut are executed, too.
  double executions_per_second(double seconds) const {
    return seconds > 0 ? static_cast<double>(runs()) / seconds : 0.0;
  }
};

}  // namespace mazurka

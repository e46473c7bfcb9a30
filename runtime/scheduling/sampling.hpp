// Sampling by priorities (core/priorities.hpp) inside the worker, so that no step needs a round trip. Nothing here
// depends on the prefix of a job, which may have been restored from a checkpoint.
//
// ReadsFrom is the proactive scheduler of the reads-from fuzzer (Wolff, Shi, Duck, Mathur, Roychoudhury: *Greybox
// Fuzzing for Concurrency Testing*, 2024, §4): whether a step achieves or spoils an aim of the job takes precedence
// over priorities. An aim also names its object, since objects have the same addresses in all executions here. So the
// scheduler recognises intervening writes before the reader arrives.
#pragma once

#include <cstdint>

#include "core/priorities.hpp"
#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// On pages of its own, which the snapshot excludes.
struct alignas(kPage) Sampling {
  Priorities priorities;
  Guidance guidance;                              ///< copied from the job
  std::uint64_t last_writer[Guidance::kMaxAims];  ///< site of the last write to the object of each aim, or 0
  bool done[Guidance::kMaxAims];                  ///< the reader of the aim has read what it should
  std::uint64_t of_process[protocol::kMaxProcesses];
};
MAZURKA_SHARED Sampling sampling;

/// Starts an execution whose job samples by priorities.
void begin_sampling();

/// Orders the next steps of threads: the greatest rank goes first.
struct Rank {
  std::int32_t score;
  std::uint64_t priority;

  bool operator>(const Rank& other) const {
    return score != other.score ? score > other.score : priority > other.priority;
  }
};
Rank rank_of(const Thread& thread);

/// Call when the thread takes its pending step.
void note_choice(const Thread& thread);

}  // namespace mazurka::runtime

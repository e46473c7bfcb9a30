// Executions that are sampled by priorities (core/priorities.hpp), inside the worker, so that no step needs a round
// trip. Nothing here depends on the prefix of a job, which may have been restored from a checkpoint.
//
// ReadsFrom is the proactive scheduler of the reads-from fuzzer (Wolff, Shi, Duck, Mathur, Roychoudhury: *Greybox
// Fuzzing for Concurrency Testing*, 2024, §4): before priorities count whether a step is what an aim of the job waits
// for, or would spoil it. An aim names its object too, since objects have the same addresses in all executions here; so
// it is known which writes would come between before the reader is there.
#pragma once

#include <cstdint>

#include "core/priorities.hpp"
#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// In pages of its own, which the snapshot leaves alone.
struct alignas(kPage) Sampling {
  Priorities priorities;
  Guidance guidance;                              ///< copied, as all of the job
  std::uint64_t last_writer[Guidance::kMaxAims];  ///< of the object of each aim: a place in the code, or 0
  bool done[Guidance::kMaxAims];                  ///< its reader found what it was to find
  std::uint64_t of_process[protocol::kMaxProcesses];
};
MAZURKA_SHARED Sampling sampling;

/// An execution begins whose job goes by priorities.
void begin_sampling();

/// Whether the step that a thread stands before is to come before that of another one.
struct Rank {
  std::int32_t score;
  std::uint64_t priority;

  bool operator>(const Rank& other) const {
    return score != other.score ? score > other.score : priority > other.priority;
  }
};
Rank rank_of(const Thread& thread);

/// The thread takes the step that it stands before.
void note_choice(const Thread& thread);

}  // namespace mazurka::runtime

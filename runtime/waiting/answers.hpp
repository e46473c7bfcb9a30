// What is known of places where threads wait: the places themselves (protocol::Wait), and what trials said of rounds.
#pragma once

#include "program/protocol.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// What trials say. A thread in a given state does the same whenever it reads the same, so the answers about rounds
/// form a tree: from the state on, one edge for each value that is read.
struct Answer {
  std::uint32_t from;   ///< the number of the answer before; of the state where depth is 0
  std::uint32_t depth;  ///< how many values were read before this one
  std::uint64_t value;
  std::uint32_t next;  ///< with the same hash
  TrialAnswer answer;
  std::uint32_t accesses_begin;  ///< to its stack, by an idle round
  std::uint32_t accesses_count;
  std::uint32_t reads_begin;  ///< without steps, of memory that others could reach
  std::uint32_t reads_count;
};

inline constexpr std::uint32_t kMaxAnswers = 1U << 18;
inline constexpr std::uint32_t kAnswerBuckets = 1U << 16;
inline constexpr std::uint32_t kMaxAccesses = 1U << 18;
inline constexpr std::uint32_t kMaxReads = 1U << 18;
inline constexpr std::uint32_t kMaxSuspects = 512;
inline constexpr std::uint32_t kNoSuspect = UINT32_MAX;
// Depths that there are not: one answer for each memory that makes a difference.
inline constexpr std::uint32_t kVariants = UINT32_MAX;
inline constexpr std::uint32_t kLockedVariants = UINT32_MAX - 1;   ///< from the state itself, which holds a mutex
inline constexpr std::uint32_t kSegmentVariants = UINT32_MAX - 2;  ///< from the state after a step

/// In memory that trials and executions in processes of their own share.
struct Known {
  bool asks_for_time;  ///< the program has done so
  bool told_deadline;  ///< the C++ library has been told a time that is none
  std::uint32_t answer_count;
  std::uint32_t buckets[kAnswerBuckets];
  Answer answers[kMaxAnswers];
  std::uint32_t access_count;
  StackAccess accesses[kMaxAccesses];
  std::uint32_t read_count;
  PlainRead reads[kMaxReads];
  std::uint32_t suspect_count;
  std::uint64_t suspects[kMaxSuspects];
  std::uint32_t tries[kMaxSuspects];
};
extern Known* known;

/// The code address that an operation at `site`, whose entry point was called last, returns to.
std::uint64_t return_address(std::uint64_t site);
inline std::uint64_t site_of_access(const Thread& thread) { return thread.access - image.base; }

/// What is known of a place, the latest first.
protocol::WaitKind kind_of(std::uint64_t site);

/// Executions so far have not taken this into account: the one under way is done again. Where there is no room, the
/// loop stays one of ordinary steps.
void learn(std::uint64_t site, protocol::WaitKind kind);

/// The number of a place that threads may come back to; kMaxSuspects if there are too many.
std::uint32_t suspect_at(std::uint64_t site);
/// Such a place may be in a loop that waits: worth a look now and then.
bool is_worth_a_look(std::uint32_t suspect);

/// The number of the answer, which may still be unknown.
std::uint32_t find_answer(std::uint32_t from, std::uint32_t depth, std::uint64_t value);
/// Whether memory is as it was when the answer was found, as far as that depends on it.
bool holds(const Answer& answer);
/// The answer depends on what the last trial read without steps.
void note_reads(Answer& answer);

}  // namespace mazurka::runtime

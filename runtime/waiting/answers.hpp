// What is known about waiting loops: their sites (protocol::Wait), and the answers of trials about rounds.
#pragma once

#include "program/protocol.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// The answer of a trial. From a given local state a thread does the same if it reads the same values. So the answers
/// form a trie: the root is the state, with one edge per value read.
struct Answer {
  std::uint32_t from;   ///< number of the parent answer; at depth 0, of the state
  std::uint32_t depth;  ///< number of values read before this one
  std::uint64_t value;
  std::uint32_t next;  ///< in the same hash bucket
  TrialAnswer answer;
  std::uint32_t accesses_begin;  ///< plain accesses of an idle round to its own stack
  std::uint32_t accesses_count;
  std::uint32_t reads_begin;  ///< its reads of shared memory without scheduling points
  std::uint32_t reads_count;
};

inline constexpr std::uint32_t kMaxAnswers = 1U << 18;
inline constexpr std::uint32_t kAnswerBuckets = 1U << 16;
inline constexpr std::uint32_t kMaxAccesses = 1U << 18;
inline constexpr std::uint32_t kMaxReads = 1U << 18;
inline constexpr std::uint32_t kMaxSuspects = 512;
inline constexpr std::uint32_t kNoSuspect = UINT32_MAX;
// Pseudo-depths, for answers that depend on memory: `value` numbers the variants.
inline constexpr std::uint32_t kVariants = UINT32_MAX;
inline constexpr std::uint32_t kLockedVariants = UINT32_MAX - 1;   ///< from a state that holds a mutex
inline constexpr std::uint32_t kSegmentVariants = UINT32_MAX - 2;  ///< from the state after a step

/// In memory shared with trials and with executions that run in child processes.
struct Known {
  bool asks_for_time;  ///< the program has read the clock
  bool told_deadline;  ///< the C++ library has been given a made-up time
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

/// The return address of the entry point called last, for an operation at `site`.
std::uint64_t return_address(std::uint64_t site);
inline std::uint64_t site_of_access(const Thread& thread) { return thread.access - image.base; }

/// What is known of a site; the latest entry counts.
protocol::WaitKind kind_of(std::uint64_t site);

/// Adds a waiting site. Earlier executions did not take it into account, so the current one is repeated. If the table
/// is full, returns, and the rounds of the loop remain ordinary steps.
void learn(std::uint64_t site, protocol::WaitKind kind);

/// The index of a site that threads came back to; kMaxSuspects if there are too many.
std::uint32_t suspect_at(std::uint64_t site);
/// Exponential back-off: true at the 1st, 2nd, 4th, 8th, … call for a suspect.
bool is_worth_a_look(std::uint32_t suspect);

/// Finds or adds the answer with this path. It may be TrialAnswer::Unknown.
std::uint32_t find_answer(std::uint32_t from, std::uint32_t depth, std::uint64_t value);
/// Whether the memory that the answer depends on still has the values of its trial.
bool holds(const Answer& answer);
/// Records that the answer depends on the plain reads of the last trial.
void note_reads(Answer& answer);

}  // namespace mazurka::runtime

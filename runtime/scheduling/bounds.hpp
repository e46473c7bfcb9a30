// The per-thread bound of an exploration (core/bound.hpp): whether a thread stops before its next step.
#pragma once

#include <cstdint>

#include "core/event.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// The child of a ThreadCreate if the process table is full. It is the main thread's index, which no ThreadCreate has.
inline constexpr std::uint32_t kNoPlace = 0;

/// Whether the bound forbids the creation of this thread.
inline bool is_refused(std::uint64_t child) {
  return child == kNoPlace || threads.slots[child].rank > scheduling.bound.threads;
}

/// Whether a step counts towards Bound::steps. Steps of thread management do not: a thread has few of them, and
/// Bound::threads limits the number of threads.
constexpr bool is_counted(OperationKind kind) {
  using enum OperationKind;
  return kind != ThreadCreate && kind != ThreadStart && kind != ThreadExit && kind != ThreadJoin;
}

inline bool has_no_steps_left(const Thread& thread) {
  return thread.steps >= scheduling.bound.steps &&
         (is_counted(thread.pending.kind) || thread.timed);  // a timed join may be retried any number of times
}

inline bool is_stopped(const Thread& thread) {
  return has_no_steps_left(thread) ||
         (thread.pending.kind == OperationKind::ThreadCreate && is_refused(thread.pending.object));
}

/// Cheap test: can any thread be stopped? A thread cannot have taken more steps than all threads together, and the rank
/// of a new thread is at most the number of threads.
inline bool may_stop_threads() {
  return scheduling.step >= scheduling.bound.steps || worker.process_count > scheduling.bound.threads ||
         worker.table_full;
}

/// What stops threads that are otherwise enabled: kStoppedBy… bits.
inline std::uint32_t stopped_by() {
  std::uint32_t reasons = scheduling.too_long ? kStoppedByLength : 0;
  if (!may_stop_threads()) return reasons;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    const Thread& thread = threads.all[i];
    if (thread.life != Life::Live || thread.pending.kind == OperationKind::None || !is_stopped(thread)) continue;
    if (!has_no_steps_left(thread))
      reasons |= thread.pending.object == kNoPlace ? kStoppedByTable : kStoppedByThreads;
    else if (for_each_offer(thread, [](const Operation&, std::uint32_t, bool is_enabled) { return is_enabled; }))
      reasons |= kStoppedBySteps;
  }
  return reasons;
}

}  // namespace mazurka::runtime

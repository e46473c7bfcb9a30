// How far threads go in this exploration (core/bound.hpp): whether one stops before its next step.
#pragma once

#include <cstdint>

#include "core/event.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// The object of the creation of a thread for which there is no place. It is the main thread, which nobody creates.
inline constexpr std::uint32_t kNoPlace = 0;

/// Whether the bound does not let this thread be created.
inline bool is_refused(std::uint64_t child) {
  return child == kNoPlace || threads.slots[child].rank > scheduling.bound.threads;
}

/// Whether a step counts as one of those that each thread may take. The life of a thread has few others, and how many
/// threads there are is bounded by itself.
constexpr bool is_counted(OperationKind kind) {
  using enum OperationKind;
  return kind != ThreadCreate && kind != ThreadStart && kind != ThreadExit && kind != ThreadJoin;
}

inline bool has_no_steps_left(const Thread& thread) {
  return thread.steps >= scheduling.bound.steps &&
         (is_counted(thread.pending.kind) || thread.timed);  // a join that may be given up is one that may come again
}

inline bool is_stopped(const Thread& thread) {
  return has_no_steps_left(thread) ||
         (thread.pending.kind == OperationKind::ThreadCreate && is_refused(thread.pending.object));
}

/// Whether some thread may be: quick. A thread cannot have taken more steps than all of them, nor stand before the
/// creation of a thread with a rank higher than there are threads.
inline bool may_stop_threads() {
  return scheduling.step >= scheduling.bound.steps || worker.process_count > scheduling.bound.threads ||
         worker.table_full;
}

/// What keeps threads that could move from going on: bits kStoppedBy….
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

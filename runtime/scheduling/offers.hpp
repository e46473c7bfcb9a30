// What a thread can do next, and whether it can do it now.
#pragma once

#include "runtime/messages/passing_time.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Whether the pending operation of a thread, not counting leaving a queue by itself, is possible now.
bool enabled(const Thread& thread);

/// Whether the location of a compare-exchange or futex wait holds what the thread expects.
bool memory_equals_expected(const Thread& thread, const Operation& operation);

/// The pending operation as it would take place now: with kFailed if so.
Operation resolved(const Thread& thread);

/// Who has what the thread waits for; kNoProcess if nobody in particular.
ProcessIndex holder(const Thread& thread);

/// Whether some thread's next operation is on the object, or its condition variable is.
bool waits_for(const void* object);

/// The kinds that may have several alternatives, as bits.
inline constexpr std::uint64_t kSeveralOffers = [] {
  std::uint64_t kinds = 1ULL << static_cast<unsigned>(OperationKind::Choose) |
                        1ULL << static_cast<unsigned>(OperationKind::DescriptorWait);
  for (unsigned i = 0; i < static_cast<unsigned>(OperationKind::Count); ++i)
    if (state_decides_alternatives(static_cast<OperationKind>(i))) kinds |= 1ULL << i;
  return kinds;
}();

/// Cheap test: the thread's next step has a single alternative, number 0, which is resolved().
inline bool has_one_offer(const Thread& thread) {
  return !thread.timed && (kSeveralOffers >> static_cast<unsigned>(thread.pending.kind) & 1) == 0;
}

/// Calls `visit(operation, alternative, enabled)` for each alternative of the thread's next step until it returns true.
template <class Visit>
bool for_each_offer(const Thread& thread, Visit&& visit) {
  using enum OperationKind;
  const Operation& pending = thread.pending;
  if (threads.readiness[thread.index] == Readiness::Always) return visit(pending, 0U, true);
  if (pending.kind == Choose) {
    for (std::uint32_t i = 0; i < pending.alternatives(); ++i)
      if (visit(pending, i, true)) return true;
    return false;
  }
  if (wakes_one(pending)) {
    // Which waiter wakes is a choice, named by the waiter so that it means the same whoever else waits.
    const Queue queue = family(pending.kind) == Family::Futex ? Queue::Futex : Queue::Condition;
    bool any = false;
    Operation wake = pending;
    for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
      const Thread& waiter = threads.all[i];
      if (waiter.life != Life::Live || waiter.queue != queue || waiter.woken) continue;
      if ((queue == Queue::Futex ? waiter.pending.object : waiter.pending.awaited_condition()) != pending.object)
        continue;
      any = true;
      wake.set_woken(i);
      if (visit(wake, i + 1, true)) return true;
    }
    return !any && visit(pending, 0U, true);
  }
  if (visit(resolved(thread), 0U, enabled(thread))) return true;
  // Giving up a join may come at any time, also after the end of the other thread: that end itself has no effect that
  // anybody else could see, so it might as well have come later.
  if (pending.kind == ThreadJoin && thread.timed) {
    Operation give_up;
    give_up.kind = Yield;
    return visit(give_up, 1U, true);
  }
  // Time may pass. That nothing else can move is listed only where it is so: it is never reversed.
  if (pending.kind == DescriptorWait) {
    const Prospect prospect = thread.prospect(thread.prospect_of);
    const bool may_pass = time_may_pass(thread, prospect);
    if (pending.call() == DescriptorCall::Write) return false;  // it never gives up, whatever the descriptor stands for
    if (visit(pending, kTimeIsUp, may_pass)) return true;
    // Only a read tells how often a timer has expired.
    if (pending.call() == DescriptorCall::Read && visit(pending, kTimeMissed, may_pass && prospect.repeats))
      return true;
    if (may_pass) return false;
    Operation passing;
    passing.kind = TimePasses;
    return time_passes_for(thread) && visit(passing, kTimePasses, true);
  }
  if (thread.queue != Queue::None && thread.timed) {
    Operation timeout;
    timeout.kind = thread.queue == Queue::Condition ? ConditionTimeout : FutexTimeout;
    timeout.object = thread.queue == Queue::Condition ? pending.awaited_condition() : pending.object;
    timeout.size = pending.size;
    timeout.set_waiter(pending.waiter());
    return visit(timeout, 1U, !thread.woken);
  }
  return false;
}

}  // namespace mazurka::runtime

// The alternatives of a thread's next step, and whether they are enabled.
#pragma once

#include "runtime/messages/passing_time.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Whether the thread's pending operation is enabled; time-outs and spurious wake-ups are separate alternatives.
bool enabled(const Thread& thread);

/// Whether a compare-exchange or futex wait would find the expected value in memory.
bool memory_equals_expected(const Thread& thread, const Operation& operation);

/// Whether a try to take a mutex, read-write lock or semaphore would fail now.
bool try_fails(const Operation& operation);

/// The pending operation as it would execute now: with kFailed if it would fail.
Operation resolved(const Thread& thread);

/// The process that holds what the thread is blocked on; kNoProcess if unknown or none.
ProcessIndex holder(const Thread& thread);

/// Whether another thread is about to operate on the object or waits on this condition variable.
bool waits_for(const void* object);

/// Bit set of the kinds that may have several alternatives.
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
    // Which waiter wakes up is a choice. The waiter's index names it, so that it means the same whoever else waits.
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
  // A timed join may give up at any time, even after the other thread has ended: that end has no other visible effect,
  // so it might as well have come later.
  if (pending.kind == ThreadJoin && thread.timed) {
    Operation give_up;
    give_up.kind = Yield;
    return visit(give_up, 1U, true);
  }
  // A wait with a time-out may time out. TimePasses is listed only if no other step is enabled: it is never reversed.
  if (pending.kind == DescriptorWait) {
    const Prospect prospect = thread.prospect(thread.prospect_of);
    const bool may_pass = time_may_pass(thread, prospect);
    if (pending.call() == DescriptorCall::Write) return false;  // a write to a descriptor has no time-out
    if (visit(pending, kTimeIsUp, may_pass)) return true;
    // Only a read returns how often a timer has expired.
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

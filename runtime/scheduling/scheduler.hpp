// The step loop. A thread announces its next operation and yields to the scheduler; once chosen, the thread carries the
// operation out. So the next operation of every thread is always known, and nothing happens between the choice of a
// step and its effect.
#pragma once

#include "core/operation.hpp"
#include "runtime/arch.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// An operation on an object at an address.
inline Operation operation(OperationKind kind, const void* object = nullptr, std::uint8_t flags = 0) {
  Operation result;
  result.kind = kind;
  result.flags = flags;
  result.object = reinterpret_cast<std::uint64_t>(object);
  return result;
}

/// A scheduling point: announces `next` as the running thread's next operation, performed at `site`, and returns once
/// the scheduler has chosen it. \post `alternative` and `failed` of the thread describe the outcome to carry out.
/// Returns at once if no exploration is under way.
void perform(const Operation& next, std::uint64_t site);

/// perform() for an atomic access, with the operand that it would write, or for a try-lock: a thread may be waiting in
/// a loop by it (waiting/).
void perform_access(const Operation& next, std::uint64_t operand, std::uint64_t site);

/// The slow paths of the two, if signals, private stacks, a trial or library spins are being watched.
void perform_watched(const Operation& next, std::uint64_t site);
void perform_watched_access(const Operation& next, std::uint64_t operand, std::uint64_t site);

/// Wakes the sleepers whose steps depend on the step just taken, once its footprint is known.
void wake_sleepers(ProcessIndex process, const Operation& taken);

/// Records the value that the current operation read. The address of the record depends on other threads, so it must
/// not remain in a register (clear_call_registers()).
inline void observe(std::uint64_t found) {
  Event* const record = scheduling.record;
  if (record != nullptr) record->value = found;
  clear_register(record);
}
/// Records the value that the current operation read, and the one that it wrote or expected (Event::written).
inline void observe(std::uint64_t found, std::uint64_t written) {
  Event* const record = scheduling.record;
  if (record != nullptr) {
    record->value = found;
    record->written = written;
  }
  clear_register(record);
}

/// Whether the begin and end of an object's lifetime are scheduling points. While there is only one thread, everything
/// that later threads do happens after it.
inline bool lives_may_race() { return scheduling.exploring && scheduling.thread_end > 1; }

/// After this many plain accesses without a scheduling point a thread may be busy-waiting for a plain write of another
/// thread. It then yields, and the others go first. The count only depends on the thread's own accesses since its last
/// step, so the yield is at the same place in every execution.
inline constexpr std::uint32_t kAccessesInARow = 1U << 20;
void give_way(std::uint64_t site);

/// Chooses the next thread, for replace_by(). \pre The running thread has ended.
Thread& choose_successor();

/// Leaves the stack of the running thread for good. Inlined: see leave_stack().
[[noreturn, gnu::always_inline]] inline void replace_by(Thread& successor) {
  scheduling.current = &successor;
  write_thread_pointer(successor.thread_pointer, scheduling.fast_thread_pointer);
  leave_stack(successor.stack_pointer);
}

}  // namespace mazurka::runtime

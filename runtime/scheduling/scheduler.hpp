// The step loop. A thread announces its next operation and goes on when the scheduler has chosen it; the thread itself
// then carries the operation out. So every thread's next operation is always known, and nothing happens between the
// choice of a step and its effect.
#pragma once

#include "core/operation.hpp"
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

/// Announces `next` as the running thread's next operation, performed at `site`, and returns when it has been chosen;
/// `alternative` and `failed` of the thread then say how it goes. Outside an exploration it returns at once.
void perform(const Operation& next, std::uint64_t site);

/// The same for an atomic access, with what it would write, and for a try to lock: it may be one by which a thread
/// waits (waiting/).
void perform_access(const Operation& next, std::uint64_t operand, std::uint64_t site);

/// The same, called by these where signals, stacks, trials or spins of the C++ library need attention.
void perform_watched(const Operation& next, std::uint64_t site);
void perform_watched_access(const Operation& next, std::uint64_t operand, std::uint64_t site);

/// Wakes whoever sleeps on something that depends on the step just taken, once it is known what that does.
void wake_sleepers(ProcessIndex process, const Operation& taken);

/// Notes what the operation under way finds.
inline void observe(std::uint64_t found) {
  if (scheduling.record != nullptr) scheduling.record->value = found;
}
/// Notes what the operation under way finds, and what it leaves behind or expected instead (Event::written).
inline void observe(std::uint64_t found, std::uint64_t written) {
  if (scheduling.record == nullptr) return;
  scheduling.record->value = found;
  scheduling.record->written = written;
}

/// Whether beginning or ending the life of an object is a step. As long as there has been but one thread, all that
/// others will do comes after it.
inline bool lives_may_race() { return scheduling.exploring && scheduling.thread_end > 1; }

/// A thread that has gone on for so many plain accesses without a step may be waiting in a loop for what another one
/// writes: it takes a step that does nothing, before which the others come. The number counts what the thread itself
/// did since its last step, so the place is the same in every execution.
inline constexpr std::uint32_t kAccessesInARow = 1U << 20;
void give_way(std::uint64_t site);

/// Chooses and switches to the next thread; the running one has ended.
[[noreturn]] void leave();

}  // namespace mazurka::runtime

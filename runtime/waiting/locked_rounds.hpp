// Loops that lock a mutex, check a condition, and unlock it. A round is idle if the thread gets back to holding the
// mutex in the same local state without any other visible effect: no store, no other operation. Other threads cannot
// distinguish such a round from none, unless one of their try-locks failed meanwhile.
//
// The trial starts when the thread has just locked the mutex, since only then memory has the values that it will read.
// At the end of an idle round the thread stops before it locks again (OperationKind::Spin), as in loops that read
// several locations: that the lock comes after the critical sections of others is another execution.
#pragma once

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Whether idle rounds are detected in operations of the thread at `site`.
bool takes_steps(const Thread& thread, std::uint64_t site);

/// Whether a step of another thread observed that the mutex was locked.
bool sees_lock(const Event& event, std::uint64_t mutex);

/// The running thread is about to lock a mutex. Whether it has just done an idle round, and stops.
bool stops_before_lock(Thread& thread, std::uint64_t object, std::uint64_t site);

/// The slow path of arrive_with_lock().
void look_at_lock(Thread& thread);

/// The running thread has locked the mutex of its last operation.
inline void arrive_with_lock(Thread& thread) {
  // With keeps_states there is nothing to detect, and a call would leave its frame on the stack.
  if ((scheduling.knows_waits || scheduling.learns_waits) && !scheduling.keeps_states) [[unlikely]]
    look_at_lock(thread);
}

}  // namespace mazurka::runtime

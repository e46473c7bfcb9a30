// Loops that lock a mutex, look, and unlock it. A round of them is idle if the thread comes back with the same local
// state to where it holds the mutex, having done nothing else that others can see: no store, no other operation. Others
// cannot tell such a round from none, unless a try of theirs failed meanwhile.
//
// Whether a round is idle is asked when the thread has just locked the mutex, since only then is memory what it will
// read. At the end of an idle round the thread stops before it locks again (OperationKind::Spin), as in loops that read
// several locations: that the lock comes after those of others instead is another execution.
#pragma once

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Whether idle rounds are looked for in what the thread does at `site`.
bool takes_steps(const Thread& thread, std::uint64_t site);

/// Whether a step of another thread saw that the mutex is locked.
bool sees_lock(const Event& event, std::uint64_t mutex);

/// The running thread is about to lock a mutex. Whether it does an idle round again and again.
bool stops_before_lock(Thread& thread, std::uint64_t object, std::uint64_t site);

/// The part of arrive_with_lock() that looks closer.
void look_at_lock(Thread& thread);

/// The running thread has locked the mutex of its last operation.
inline void arrive_with_lock(Thread& thread) {
  // Where states are kept there is nothing to look at, and a call would leave its traces on the stack.
  if ((scheduling.knows_waits || scheduling.learns_waits) && !scheduling.keeps_states) [[unlikely]]
    look_at_lock(thread);
}

}  // namespace mazurka::runtime

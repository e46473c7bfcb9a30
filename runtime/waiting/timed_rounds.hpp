// Loops that wait with a time-out, look, and wait again. The first wait of a thread in a local state always has its
// time-out. If the thread takes it, does nothing that others can see, and comes to a wait in the same state again, that
// wait has none: only a signal ends it.
//
// Nothing is lost. Let t1 be the time-out of the first wait, and t2 that of the second, of an execution in which it has
// one. Cut out the steps of the thread after t1 up to and including t2: the lock of the mutex, what it read, the second
// wait. It then stands where it stood after t1, in the state in which it is after t2, and takes the mutex when it did
// so after t2. Others see no difference: the thread held the mutex for less time, and a signal that did not choose it
// as it waited for the second time need not do so when it does not wait.
//
// What the thread does between two of its steps is no event. So a trial says whether it has an effect, from the state
// after each step in such a round, and memory as it is then: it is asked when the step has been taken, so that the
// answer follows from what happened before the step (trial.hpp).
#pragma once

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// The running thread is about to wait in a queue that it may leave by itself. Whether it may, or has done an idle
/// round since it left one of them in the same state. `operand`: what the wait depends on beside its object; `mutex`:
/// what it gives back meanwhile.
bool may_time_out(Thread& thread, const Operation& wait, std::uint64_t operand, std::uint64_t mutex,
                  std::uint64_t deadline, std::uint64_t site);

/// The part of after_step() that asks.
void ask_about_segment(Thread& thread, std::uint64_t result);

/// To be called when the running thread has taken a step that may be part of an idle round. `result`: what it does next
/// depends on this beside its state and what it reads.
inline void after_step(Thread& thread, std::uint64_t result = 0) {
  if (scheduling.knows_waits && thread.timed_visit_count != 0) [[unlikely]]
    ask_about_segment(thread, result);
}

/// Whether a thread that waits without its time-out would read the same again if it took it.
bool times_out_in_vain(const Thread& thread);

}  // namespace mazurka::runtime

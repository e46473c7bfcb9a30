// Loops that wait with a time-out, check, and wait again. The first wait of a thread in a local state always has a
// time-out. If it times out, has no visible effect, and gets to a wait in the same state again, that wait has no
// time-out: only a signal ends it.
//
// Nothing is lost. Consider an execution in which both waits time out, at t1 and t2. Remove the steps of the thread
// after t1 up to and including t2: it locks the mutex, reads, and waits. After t1 the thread is then in the state that
// it has after t2, and locks the mutex when it did so after t2. Other threads see no difference: the thread held the
// mutex for less time, and a signal that did not choose it in its second wait need not choose it now.
//
// What the thread does between two steps is not recorded as events. So a trial finds out whether it has an effect, from
// the state after each step of such a round, with memory as it is then. It runs right after the step, so that the
// answer only depends on what happened before the step (trial.hpp).
#pragma once

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// The running thread is about to wait in a queue with a time-out. False if it has done an idle round since it timed
/// out in the same state: then the wait has no time-out. `operand`: what the wait depends on besides its object;
/// `mutex`: the mutex that the wait releases.
bool may_time_out(Thread& thread, const Operation& wait, std::uint64_t operand, std::uint64_t mutex,
                  std::uint64_t deadline, std::uint64_t site);

/// The slow path of after_step().
void ask_about_segment(Thread& thread, std::uint64_t result);

/// Call when the running thread has taken a step that may be part of an idle round. `result`: what its next actions
/// depend on, besides its state and what it reads.
inline void after_step(Thread& thread, std::uint64_t result = 0) {
  if (scheduling.knows_waits && thread.timed_visit_count != 0) [[unlikely]]
    ask_about_segment(thread, result);
}

/// Whether a thread that waits without a time-out would read the same values again if it timed out.
bool times_out_in_vain(const Thread& thread);

}  // namespace mazurka::runtime

// Assumptions about a value just read. `x = load(v); assume(x == 1)` waits for that value: an execution in which the
// assumption fails shows nothing beyond one in which the thread stops before the load, if nothing happens between the
// two. So the access before a failed assumption is turned into an await, as in a loop (waits.hpp), and trials tell for
// which states and values the thread reaches the failing assumption without an effect (TrialAnswer::Assumed). A value
// that is only assumed need not ever be written: if no step is enabled, the execution is cut, as after any other
// assumption.
#pragma once

#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// An assumption of the running thread failed: turns the access before it into an await if that may help, and then
/// repeats the execution.
void learn_assumption(Thread& thread);

/// Whether the thread's await is disabled by an assumption. \pre settle_awaits()
bool is_assumed_away(const Thread& thread);

}  // namespace mazurka::runtime

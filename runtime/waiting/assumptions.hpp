// Assumptions about a value just read. `x = load(v); assume(x == 1)` is a wait for that value: an execution in which
// the assumption does not hold shows nothing that the thread's standing before the load does not show as well, if
// nothing happens between the two. So the access before an assumption that does not hold is made an await, as in a loop
// (waits.hpp), and trials say for which states and values the assumption comes and fails without an effect
// (TrialAnswer::Assumed). Nobody need bring about a value that is only assumed: if nothing can move, the execution is
// cut, as after any other assumption.
#pragma once

#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// An assumption of the running thread does not hold: makes the access before it an await where that may help, in which
/// case the execution begins anew.
void learn_assumption(Thread& thread);

/// Whether a thread stands before an await because of an assumption. \pre settle_awaits()
bool is_assumed_away(const Thread& thread);

}  // namespace mazurka::runtime

// The state of a program as a hash, made of what each step changes (core/state_hash.hpp): for cutoffs, where two states
// that are told for one must not differ in anything that the program, its threads or the scheduler can ever see.
//
// A state has *places*, and each holds a value:
// * every byte of the pages that the program has written (snapshot.hpp), of the heaps and of the stacks in use;
// * of each thread, its registers and where it goes on, and what the runtime knows of it (thread_places.hpp).
// A place that holds 0 adds nothing to the hash, so memory that nobody has used need not be looked at. Places are as
// small as bytes, since threads may write neighbouring ones at the same time.
//
// After each step everything is compared with a copy of what was there before. What has changed is the step's delta. It
// must depend on the causes of the step only: the explorer compares those of the same event in different executions.
//
// A thread stands before a step inside perform(). Whoever called that finds there, when it goes on, the registers that
// calls preserve and the stack above; what lies below is dead, and so is the stack of a thread that has ended.
//
// Not part of it are what the program has printed, files (which are refused), the time (refused if asked for), and what
// the race detector knows, which depends on histories and not on states.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// To be called once, after the snapshot has been taken.
void prepare_states();

/// Before each execution, when it is known from which step on it goes.
void begin_states();

/// The running thread has come to its next step, or has ended. Whether a checkpoint is to be taken now.
bool reach_state();

/// Whoever took a checkpoint goes on, perhaps in another execution.
void go_on_with_states();

/// Ends the execution where states are asked for: `what` is not part of them.
void refuse_without_state(const char* what, std::uint64_t site);

}  // namespace mazurka::runtime

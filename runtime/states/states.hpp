// The state of a program as a hash, composed of what each step changes (core/state_hash.hpp). Cutoffs identify
// states with equal hashes, so a state includes everything that the program, its threads or the scheduler can ever
// observe.
//
// A state consists of *places* with values:
// * every byte of hot pages (snapshot.hpp), of heaps and of the used part of stacks;
// * for each thread, its registers, its return address, and the runtime's records of it (thread_places.hpp).
// A place with value 0 contributes nothing to the hash, so unused memory need not be visited. Places are single bytes,
// because threads may write neighbouring bytes concurrently.
//
// After each step everything is compared with a copy from before it. The changes are the step's delta. Invariant: a
// delta only depends on the causes of its step. The explorer compares the deltas of the same event in different
// executions.
//
// A thread before its next step is inside perform(). When that returns, its caller only sees the callee-saved registers
// and the stack above; what is below is dead, and so is the whole stack of a thread that has ended.
//
// Not part of the state: output, files (refused), time (refused if read), and the race detector's data, which depend on
// the history and not on the state.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Call once, after take_snapshot().
void prepare_states();

/// Call before each execution, when the step that it starts from is known.
void begin_states();

/// The running thread has reached its next step or has ended. Returns whether to take a checkpoint now.
bool reach_state();

/// Call after a checkpoint was taken or resumed from, perhaps by another execution.
void go_on_with_states();

/// With keeps_states, fails the execution: `what` is not part of states.
void refuse_without_state(const char* what, std::uint64_t site);

}  // namespace mazurka::runtime

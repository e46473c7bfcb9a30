// The places of a state that describe threads, besides memory: return address, registers, and the runtime's records.
#pragma once

#include <cstdint>

#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/step_change.hpp"

namespace mazurka::runtime {

/// Call once, after take_snapshot().
void prepare_places();

/// Resets the position of a new thread.
void forget_position(Thread& thread);
/// Records the position of the running thread, which has reached its next step.
void note_position(Thread& thread);

/// Copies the records of all threads.
void copy_threads();

/// Adds the changes since the last copy to `change`, and updates the copy.
void compare_threads(StepChange& change);

}  // namespace mazurka::runtime

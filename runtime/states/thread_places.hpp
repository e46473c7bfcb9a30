// What the state of a program says of its threads, besides their memory: where each goes on, with which registers, and
// what the runtime knows of it.
#pragma once

#include <cstdint>

#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/step_change.hpp"

namespace mazurka::runtime {

/// To be called once, after the snapshot has been taken.
void prepare_places();

/// A thread begins.
void forget_position(Thread& thread);
/// Notes where the running thread is: it has come to its next step.
void note_position(Thread& thread);

/// Notes what all threads are, to be compared with later.
void copy_threads();

/// Adds what has changed since, and notes it.
void compare_threads(StepChange& change);

}  // namespace mazurka::runtime

// Checkpoints: executions resume from the middle of an earlier one. A depth-first explorer asks for many schedules with
// the same prefix; once a prefix has been stable for a while, the worker saves the state after it and later executions
// resume there instead of at main.
//
// A checkpoint contains everything that a step can change: the hot pages, the used parts of threads' stacks and heaps,
// and the runtime's own records of the execution. It is taken and restored while no thread of the program runs, so the
// registers of every thread are saved on its stack. Checkpoints form a stack along the last schedule, each deeper than
// the one below it.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Call once, after take_snapshot().
void prepare_checkpoints();

/// Restores the deepest checkpoint whose schedule is a prefix of the job just loaded. False if the execution has to
/// start at main.
bool resume_from_checkpoint();

/// Saves the current state of the program as the deepest checkpoint, if it fits.
void take_checkpoint();

/// After an execution: restores the state that the next job most likely starts from, while the explorer reads the
/// answer.
void go_back();

/// Invalidates all checkpoints.
void drop_checkpoints();

}  // namespace mazurka::runtime

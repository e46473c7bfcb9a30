// Going on from the middle of an execution. An explorer that searches in depth asks for many schedules with the same
// beginning; the state after a beginning that was the same for some time is kept, and executions go on from there
// instead of from main.
//
// A checkpoint is everything that a step can change: the hot pages, the used parts of threads' stacks and heaps, the
// runtime's own records of the execution. It is taken and put back while no thread of the program runs, so a thread's
// registers lie on its stack. There are several, each further on than the one below it, along the last schedule.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// To be called once, after the snapshot has been taken.
void prepare_checkpoints();

/// Leaves the program in the state from which the job just loaded goes on: that of the furthest checkpoint with the
/// same schedule up to there. False if it has to begin at main.
bool resume_from_checkpoint();

/// Keeps the present state of the program.
void take_checkpoint();

/// After an execution: puts back the state that the next one will probably go on from.
void go_back();

/// What was kept is no longer true.
void drop_checkpoints();

}  // namespace mazurka::runtime

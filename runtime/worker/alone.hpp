// A program that runs without an explorer: once, as it would without this runtime.
//
// Its main runs on the stack of the process and allocates from the heap that snapshots cover, like what runs before
// main under an explorer. So a unit test's closure can be executed from any point of it (closure.hpp). The scheduler
// decides only while there are several threads.
#pragma once

#include "runtime/worker/execution.hpp"

namespace mazurka::runtime {

/// Runs main and ends the process with its status.
[[noreturn]] void run_alone(const ProgramStart& program);

/// Before a thread is created: from now on the scheduler decides.
void begin_threads();
/// After a join: where only the main thread is left, it just runs again.
void end_threads();

/// Ends the process because the program failed where nobody explores it.
[[noreturn]] void die_alone(int status);

}  // namespace mazurka::runtime

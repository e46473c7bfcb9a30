// Standalone: a program that runs without an explorer, once, as it would without this runtime.
//
// Its main runs on the process stack and allocates from the boot heap, which snapshots cover, like everything before
// main under an explorer. So a unit test can explore a closure at any point (closure.hpp). The scheduler is in control
// only while there are several threads.
#pragma once

#include "runtime/worker/execution.hpp"

namespace mazurka::runtime {

/// Runs main and exits with its status.
[[noreturn]] void run_alone(const ProgramStart& program);

/// Call before a thread is created: the scheduler takes control.
void begin_threads();
/// Call after a join: if only the main thread is left, it runs freely again.
void end_threads();

/// Exits because the program failed without an explorer.
[[noreturn]] void die_alone(int status);

}  // namespace mazurka::runtime

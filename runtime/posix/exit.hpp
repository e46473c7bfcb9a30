// The end of a program: exit handlers and the exit status.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Runs the handlers registered with atexit and its kin in reverse order; no other thread runs.
void run_exit_handlers();
bool has_exit_handlers();
/// Drops the handlers registered so far: they belong to the test process, not to the closure.
void forget_exit_handlers();
/// Executions begin with the handlers registered so far.
void note_first_exit_handlers();

/// Turns a finished execution into a failed one if main returned a nonzero status. All other threads have ended by
/// then, so this hides nothing that they do.
void check_returned_status();

/// The program raises SIGABRT.
[[noreturn]] void abort_at(std::uint64_t site);

}  // namespace mazurka::runtime

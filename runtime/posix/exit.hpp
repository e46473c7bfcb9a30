// The end of a program: exit handlers and what the threads leave behind.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Runs the handlers registered with atexit and the like, last first; nothing else moves meanwhile.
void run_exit_handlers();
bool has_exit_handlers();
/// Those registered so far are not to run: they belong to the process, not to the closure that is executed.
void forget_exit_handlers();

/// Makes a finished execution a failed one if main returned a status other than 0. The others have run to their ends by
/// then, so nothing that they do is hidden by it.
void check_returned_status();

/// The program ends itself with SIGABRT.
[[noreturn]] void abort_at(std::uint64_t site);

}  // namespace mazurka::runtime

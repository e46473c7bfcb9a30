// The end of a program: exit handlers and what the threads leave behind.
#pragma once

namespace mazurka::runtime {

/// Runs the handlers registered with atexit and the like, last first; nothing else moves meanwhile.
void run_exit_handlers();
bool has_exit_handlers();

}  // namespace mazurka::runtime

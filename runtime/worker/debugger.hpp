// Debugger support: the script of `mazurka replay --gdb` sets breakpoints in some of these functions and calls the
// others.
#pragma once

namespace mazurka::runtime {

/// Call before the first step of an execution under a debugger.
void start_debugging();
/// Call before the step at which the debugger is to stop.
void pause_for_debugger();

}  // namespace mazurka::runtime

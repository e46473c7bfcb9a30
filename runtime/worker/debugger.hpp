// What a debugger is told: the script of `mazurka replay --gdb` stops in these functions, and asks the others.
#pragma once

namespace mazurka::runtime {

/// Before the first step of an execution under a debugger.
void start_debugging();
/// Before the step at which it is to stop.
void pause_for_debugger();

}  // namespace mazurka::runtime

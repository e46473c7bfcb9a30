// The debugger of `mazurka replay --gdb`: gdb with a script that runs the schedule to the failure, knows the threads by
// the names that the report has for them, and stops at any step.
#pragma once

#include <string>
#include <vector>

namespace mazurka::cli {

/// The words before those of the program, with a script that is written to `folder`. MAZURKA_GDB takes the place of
/// gdb; what else it says comes after the script. Throws InputError.
std::vector<std::string> debugger_words(const std::string& folder);

}  // namespace mazurka::cli

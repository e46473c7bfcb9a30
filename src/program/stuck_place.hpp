// Finds out where a worker is stuck.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace mazurka::program {

/// Stops a process and returns the sites where it may be: the program counter, and words on its stack that are
/// addresses in the code of `binary`, innermost first. Some of these may be remains of earlier calls. Empty if the
/// system does not tell. \post The process is stopped.
std::vector<std::uint64_t> places_of_stuck(pid_t process, const std::string& binary);

}  // namespace mazurka::program

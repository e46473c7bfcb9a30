// Where a worker is that makes no progress.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace mazurka::program {

/// Stops a process and returns the places of its code where it may be, as sites: where it is, and words of its stack
/// that are addresses in the code of `binary`, innermost first. Some of those may be left over from earlier calls.
/// Empty where the system does not tell. The process stays stopped.
std::vector<std::uint64_t> places_of_stuck(pid_t process, const std::string& binary);

}  // namespace mazurka::program

// The code of a program that Mazurka does not see: what its compilation recorded (assembly/records.hpp), and the shared
// libraries it is loaded with.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "assembly/records.hpp"

namespace mazurka::program {

struct UnseenCode {
  std::vector<assembly::Unseen> places;  ///< of the user: a proof does not cover them
  std::vector<std::string> libraries;    ///< of the system, without instrumentation, in order of their names
};
/// If `process` runs the program already, its libraries are those that are mapped there; otherwise the loader is asked.
UnseenCode unseen_code(const std::string& binary, pid_t process = 0);

}  // namespace mazurka::program

// The code of a program that Mazurka does not see: what its compilation recorded (assembly/records.hpp), and the shared
// libraries that it loads.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "assembly/records.hpp"

namespace mazurka::program {

struct UnseenCode {
  std::vector<assembly::Unseen> places;  ///< the user's: a proof does not cover it
  std::vector<std::string> libraries;    ///< uninstrumented system libraries, sorted by name
};
/// If `process` runs the program already, its mapped libraries are used; otherwise the loader is asked.
UnseenCode unseen_code(const std::string& binary, pid_t process = 0);

}  // namespace mazurka::program

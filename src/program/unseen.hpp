// The code of a program that Mazurka does not see: what its compilation recorded (assembly/records.hpp), and the shared
// libraries it is loaded with.
#pragma once

#include <string>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::program {

struct UnseenCode {
  std::vector<assembly::Unseen> places;  ///< of the user: a proof does not cover them
  std::vector<std::string> libraries;    ///< of the system, without instrumentation, in order of their names
};
UnseenCode unseen_code(const std::string& binary);

}  // namespace mazurka::program

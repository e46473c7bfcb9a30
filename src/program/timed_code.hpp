// Where the C++ library asks for the time because of a wait: to compute its deadline, or to see whether it is over.
// From the program's debug information; code of the program that is inlined there, such as a predicate, is left out.
#pragma once

#include <string>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

/// In ascending order and disjoint, as addresses relative to the image. Empty where nothing says so.
std::vector<protocol::TimedCode> timed_code(const std::string& binary);

}  // namespace mazurka::program

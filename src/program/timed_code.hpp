// Finds where the C++ library reads the clock for a timed wait: to compute its deadline, or to check whether it has
// passed. Uses debug information; code of the program that is inlined there, such as a predicate, is left out.
#pragma once

#include <string>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

/// Sorted and disjoint, relative to the load base. Empty if nothing is found.
std::vector<protocol::TimedCode> timed_code(const std::string& binary);

}  // namespace mazurka::program

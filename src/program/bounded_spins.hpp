// Where the C++ library spins for a bounded number of rounds before it blocks (std::__detail::__atomic_spin of
// libstdc++: atomic::wait, latch, barrier, counting_semaphore): from the program's debug information, where the code
// was inlined, and from its symbols, where it was not.
#pragma once

#include <string>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

/// In ascending order and disjoint, as addresses relative to the image. Empty where nothing says so.
std::vector<protocol::CodeRange> bounded_spins(const std::string& binary);

}  // namespace mazurka::program

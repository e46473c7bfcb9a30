// Where functions of the C++ library lie whose loops are known: from the program's debug information, where their code
// was inlined, and from its symbols, where it was not. The lists are in ascending order and disjoint, as addresses
// relative to the image; they are empty where nothing says so.
#pragma once

#include <string>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

/// Where it spins for a bounded number of rounds before it blocks (std::__detail::__atomic_spin of libstdc++:
/// atomic::wait, latch, barrier, counting_semaphore).
std::vector<protocol::CodeRange> bounded_spins(const std::string& binary);

/// Where it locks several mutexes, and backs off if one of them is taken: std::lock, and so std::scoped_lock, for
/// mutexes of the library.
std::vector<protocol::CodeRange> back_offs(const std::string& binary);

}  // namespace mazurka::program

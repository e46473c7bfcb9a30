// Finds functions of the C++ library whose loops are known: from the program's debug information if they were inlined,
// and from its symbols if not. The lists are sorted and disjoint, with addresses relative to the load base; they are
// empty if nothing is found.
#pragma once

#include <string>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

/// Spin loops with a fixed number of rounds before a blocking wait (std::__detail::__atomic_spin of libstdc++:
/// atomic::wait, latch, barrier, counting_semaphore).
std::vector<protocol::CodeRange> bounded_spins(const std::string& binary);

/// Code that locks several mutexes and backs off if one is taken: std::lock, and so std::scoped_lock, for mutexes of
/// the library.
std::vector<protocol::CodeRange> back_offs(const std::string& binary);

}  // namespace mazurka::program

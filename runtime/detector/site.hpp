// Where in the program an operation is performed when a library performs it.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The place in the program from which a library was called, seen from a `frame` of the running thread's stack below
/// which lies the return address `address` into the library.
std::uint64_t site_above(std::uint64_t address, std::uint64_t frame);

/// The place in the user's own code from which an operation is performed that returns to `address`: in a report, the
/// functions that the explorer wants to be passed over do not count.
std::uint64_t own_site(std::uint64_t address);

/// Clears what earlier executions may have left where site_above() looks.
void clear_scanned_stack(std::uint32_t index);

}  // namespace mazurka::runtime

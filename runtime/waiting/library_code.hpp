// Tells whether a thread is inside certain functions of the C++ library. The explorer finds their code ranges in debug
// information and symbols (Channel::bounded_spins, Channel::back_offs); functions that they call are tracked by the
// hooks at function entry.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Function entry, called from this address, and exit.
void enter_from(const void* caller);
void leave_callee();

/// Whether the running thread, performing an operation at `site`, is inside a bounded spin (bounded_spins.hpp), or
/// inside code that locks several mutexes (back_offs.hpp).
bool in_bounded_spin(std::uint64_t site);
bool in_back_off(std::uint64_t site);

}  // namespace mazurka::runtime

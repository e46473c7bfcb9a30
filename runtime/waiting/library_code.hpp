// Whether a thread is inside certain functions of the C++ library. The explorer knows from debug information and
// symbols where their code lies (Channel::bounded_spins, Channel::back_offs); code that they call is known by the hook
// at the beginning of functions.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The running thread calls a function from this address, and returns from the last one that it called.
void enter_from(const void* caller);
void leave_callee();

/// Whether the running thread, performing an operation at `site`, is inside a spin (bounded_spins.hpp), or locks
/// several mutexes (back_offs.hpp).
bool in_bounded_spin(std::uint64_t site);
bool in_back_off(std::uint64_t site);

}  // namespace mazurka::runtime

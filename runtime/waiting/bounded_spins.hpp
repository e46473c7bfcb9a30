// Spins of the C++ library: before atomic::wait, a latch, a barrier or a semaphore blocks, it looks 16 times whether it
// must (std::__detail::__atomic_spin). Then it blocks in a way that looks again. How often it looked in vain makes no
// difference to anybody, so looking again at a location, with nothing in between, is no step: all the rounds that fail
// take place at once, with the first.
//
// No execution is lost: rounds that fail have no effect. Of an execution in which the spin succeeds late, the rounds
// before can be cut out; of one in which it fails, all but the first. What is left is an execution in which every
// round comes right after the first, and all others read the same.
#pragma once

#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Whether the load that the running thread has announced reads what it has just read, in the same spin, with no step
/// of anybody since.
bool looks_again(const Thread& thread);
/// The running thread has performed a load inside a spin.
void note_look(Thread& thread);

}  // namespace mazurka::runtime

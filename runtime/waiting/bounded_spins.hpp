// Bounded spins of the C++ library: before atomic::wait, a latch, a barrier or a semaphore blocks, it polls up to 16
// times (std::__detail::__atomic_spin). The blocking path then checks again. The number of failed polls makes no
// difference, so polling the same location again with nothing in between is not a scheduling point: all failing rounds
// execute together with the first.
//
// No execution is lost: failing rounds have no effect. If the spin succeeds late, remove the rounds before; if it
// fails, remove all but the first. The rest is an execution in which every round follows the first immediately and all
// other threads read the same.
#pragma once

#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Whether the announced load repeats the running thread's last load, in the same spin, with no step of any thread
/// since.
bool looks_again(const Thread& thread);
/// The running thread has performed a load inside a spin.
void note_look(Thread& thread);

}  // namespace mazurka::runtime

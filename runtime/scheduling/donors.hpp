// Thread-local storage for fibers. For each thread of the program the runtime creates a real thread, the donor, and
// parks it forever. The fiber runs with the donor's thread pointer, so thread_local, errno, pthread_self and the C
// library's own per-thread data work. A donor's memory is at an address that depends only on its index, so these
// addresses are the same in every execution and every worker.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Unregisters rseq, so that the kernel does not write the CPU number into a protected page, which would end the
/// program. False if it cannot be unregistered.
bool leave_rseq();

/// Creates donors until there are `count`. \pre The driver runs.
void create_donors(std::uint32_t count);

/// The index of the thread with this pthread_t; kNoProcess if there is none.
std::uint32_t index_of_pthread(std::uint64_t handle);

}  // namespace mazurka::runtime

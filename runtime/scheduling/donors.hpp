// Thread-local storage for fibers: for each thread of the program a real thread is created and parked for ever. Its
// fiber runs with the donor's thread pointer, so thread_local, errno, pthread_self and the C library's own per-thread
// data are all right. A donor lives on memory at an address that depends on its index only, so these addresses are the
// same in every execution and every worker.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Unregisters rseq, so that the kernel does not write the CPU number into a protected page, which would end the
/// program. False if it cannot be unregistered.
bool leave_rseq();

/// Makes slots below `count` complete. To be called from the driver.
void create_donors(std::uint32_t count);

/// The index of the thread that a pthread_t names; kNoProcess if none.
std::uint32_t index_of_pthread(std::uint64_t handle);

}  // namespace mazurka::runtime

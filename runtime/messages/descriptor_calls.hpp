// For the functions that programs call: what they do where the descriptor is one of descriptors.hpp. Results below 0
// are errors, as the kernel has them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/messages/descriptors.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// Without an explorer the kernel's objects do.
inline bool makes_channels() { return !worker.standalone; }

long transfer_bytes(bool writes, int file, void* bytes, std::size_t count, bool nonblocking, std::uint64_t site);
long close_channel(int file, std::uint64_t site);
long duplicate_channel(int file, std::uint64_t site);
long control_channel(int file, int command, long argument, std::uint64_t site);
/// F_GETPIPE_SZ and F_SETPIPE_SZ.
long control_pipe(Channel& channel, int command, long argument);

// Those that make objects.
long make_pipe(int* ends, int flags, std::uint64_t site);
long make_socket_pair(int domain, int type, int* ends, std::uint64_t site);
long make_counter(unsigned count, int flags, std::uint64_t site);

}  // namespace mazurka::runtime

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

/// Of a read or write.
struct Manner {
  bool nonblocking = false;   ///< whatever the descriptor says
  bool sockets_only = false;  ///< send and recv
};
long read_channel(int file, void* to, std::size_t bytes, Manner manner, std::uint64_t site);
/// Whether nobody reads any more, so that SIGPIPE is due, says `broken`.
long write_channel(int file, const void* from, std::size_t bytes, Manner manner, bool& broken, std::uint64_t site);
long close_channel(int file, std::uint64_t site);
long duplicate_channel(int file, std::uint64_t site);
/// dup2 and dup3, where both numbers are ours.
long replace_channel(int file, int to, int flags, bool may_be_same, std::uint64_t site);
long control_channel(int file, int command, long argument, std::uint64_t site);
/// FIONBIO and its like, which libraries use instead of fcntl.
long control_device(int file, unsigned long request, void* argument, std::uint64_t site);
/// F_GETPIPE_SZ and F_SETPIPE_SZ.
long control_pipe(Channel& channel, int command, long argument);
/// What FIONREAD tells.
long bytes_in(const Channel& channel);

/// A descriptor of a pair of sockets.
bool is_socket(const Channel& channel);
long shut_down(int file, int how, std::uint64_t site);

// Those that make objects.
long make_pipe(int* ends, int flags, std::uint64_t site);
long make_socket_pair(int domain, int type, int protocol, int* ends, std::uint64_t site);
long make_counter(unsigned count, int flags, std::uint64_t site);

/// An object is about to be made: refuses that where it cannot be.
void begin_making(std::uint64_t site);

}  // namespace mazurka::runtime

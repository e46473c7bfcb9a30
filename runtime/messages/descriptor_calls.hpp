// The implementation of interposed functions for descriptors of descriptors.hpp. Negative results are -errno, as from
// the kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/messages/descriptors.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// Standalone programs use the kernel's objects.
inline bool makes_channels() { return !worker.standalone; }

/// Options of a read or write.
struct Manner {
  bool nonblocking = false;   ///< as with O_NONBLOCK, whatever the descriptor's flags
  bool sockets_only = false;  ///< send and recv
};
long read_channel(int file, void* to, std::size_t bytes, Manner manner, std::uint64_t site);
/// `broken`: there is no reader any more, so SIGPIPE is due.
long write_channel(int file, const void* from, std::size_t bytes, Manner manner, bool& broken, std::uint64_t site);
long close_channel(int file, std::uint64_t site);
long duplicate_channel(int file, std::uint64_t site);
/// dup2 and dup3 if both numbers are ours.
long replace_channel(int file, int to, int flags, bool may_be_same, std::uint64_t site);
long control_channel(int file, int command, long argument, std::uint64_t site);
/// FIONBIO and its kin, which libraries use instead of fcntl.
long control_device(int file, unsigned long request, void* argument, std::uint64_t site);
/// F_GETPIPE_SZ and F_SETPIPE_SZ.
long control_pipe(Channel& channel, int command, long argument);
/// The result of FIONREAD.
long bytes_in(const Channel& channel);

/// Whether it is one end of a socket pair.
bool is_socket(const Channel& channel);
long shut_down(int file, int how, std::uint64_t site);

// Constructors of objects.
long make_pipe(int* ends, int flags, std::uint64_t site);
long make_socket_pair(int domain, int type, int protocol, int* ends, std::uint64_t site);
long make_counter(unsigned count, int flags, std::uint64_t site);

/// Call before an object is created: refuses that if it is not possible.
void begin_making(std::uint64_t site);

}  // namespace mazurka::runtime

// Pipes, and pairs of connected stream sockets, which are two pipes with common ends. As in Linux, the capacity of a
// pipe is counted in pages, which a write shares with the one before it only if all that is left of it fits.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "runtime/arch.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kPipeBytes = 65'536;
constexpr std::size_t kSocketBytes = 212'992;

/// A queue of bytes.
struct Ring {
  std::uint8_t* bytes;
  std::size_t capacity;
  std::size_t first;
  std::size_t count;

  std::size_t room() const { return capacity - count; }
  void put(const std::uint8_t* from, std::size_t number) {
    for (std::size_t i = 0; i < number; ++i) bytes[(first + count + i) % capacity] = from[i];
    count += number;
  }
  void take(std::uint8_t* to, std::size_t number) {
    for (std::size_t i = 0; i < number; ++i) to[i] = bytes[(first + i) % capacity];
    first = (first + number) % capacity;
    count -= number;
  }
};

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kMostPages = 256;

/// How the bytes of a pipe lie in pages.
struct Pages {
  std::size_t most;
  std::size_t first;  ///< of a ring
  std::size_t count;
  std::size_t taken;  ///< bytes of the first
  std::uint16_t filled[kMostPages];

  std::uint16_t& last() { return filled[(first + count - 1) % kMostPages]; }
  std::uint16_t last() const { return filled[(first + count - 1) % kMostPages]; }
  /// How many of the first bytes of a write go to the last page.
  std::size_t shared(std::size_t bytes) const {
    const std::size_t rest = bytes % kPageBytes;
    return count > 0 && last() + rest <= kPageBytes ? rest : 0;
  }
  /// How many bytes of a write there is room for.
  std::size_t room(std::size_t bytes) const {
    const std::size_t all = shared(bytes) + (most - count) * kPageBytes;
    return bytes < all ? bytes : all;
  }
  void put(std::size_t bytes, std::size_t accepted) {
    const std::size_t begin = shared(bytes);
    if (begin > 0) last() = static_cast<std::uint16_t>(last() + begin);
    for (std::size_t done = begin; done < accepted; done += kPageBytes) {
      ++count;
      last() = static_cast<std::uint16_t>(accepted - done < kPageBytes ? accepted - done : kPageBytes);
    }
  }
  void take(std::size_t bytes) {
    taken += bytes;
    while (count > 0 && taken >= filled[first]) {
      taken -= filled[first];
      first = (first + 1) % kMostPages;
      --count;
    }
  }
};

/// An end reads from the ring of its own side and writes to the other one. Of a pipe, side 0 reads and side 1 writes.
struct Pipe {
  Ring to[2];
  Channel* ends[2];  ///< null if closed
  bool is_pipe;
  Pages pages;  ///< of a pipe
};

Pipe& pipe_of(const Channel& channel) { return *static_cast<Pipe*>(channel.state); }
Ring& incoming(const Channel& channel) { return pipe_of(channel).to[channel.side]; }
Ring& outgoing(const Channel& channel) { return pipe_of(channel).to[1 - channel.side]; }
Channel* peer(const Channel& channel) { return pipe_of(channel).ends[1 - channel.side]; }
bool reads(const Channel& channel) { return (channel.flags & O_ACCMODE) != O_WRONLY; }
bool writes(const Channel& channel) { return (channel.flags & O_ACCMODE) != O_RDONLY; }

bool has_room(const Channel& channel, std::size_t bytes) {
  if (!writes(channel) || peer(channel) == nullptr) return true;
  if (!pipe_of(channel).is_pipe) return outgoing(channel).room() > 0;
  const std::size_t room = pipe_of(channel).pages.room(bytes);
  return bytes <= PIPE_BUF ? room == bytes : room > 0;
}

std::uint32_t events(const Channel& channel, std::uint64_t) {
  std::uint32_t found = 0;
  const bool is_pipe = pipe_of(channel).is_pipe;
  const bool alone = peer(channel) == nullptr;
  if (reads(channel) && incoming(channel).count > 0) found |= EPOLLIN | EPOLLRDNORM;
  if (writes(channel) && has_room(channel, kPageBytes)) found |= EPOLLOUT | EPOLLWRNORM;
  if (alone && is_pipe) found |= reads(channel) ? EPOLLHUP : EPOLLERR;
  if (alone && !is_pipe) found |= EPOLLIN | EPOLLRDNORM | EPOLLHUP | EPOLLRDHUP;
  return found;
}

/// Whether a poller would say so of the other end.
bool can_write(const Pipe& pipe, const Ring& ring) {
  return pipe.is_pipe ? pipe.pages.count < pipe.pages.most : ring.room() > 0;
}

long read(Channel& channel, void* to, std::size_t bytes) {
  Ring& ring = incoming(channel);
  if (bytes == 0) return 0;
  if (ring.count == 0) return peer(channel) == nullptr ? 0 : -EAGAIN;
  const bool was_full = !can_write(pipe_of(channel), ring);
  const std::size_t number = bytes < ring.count ? bytes : ring.count;
  ring.take(static_cast<std::uint8_t*>(to), number);
  if (pipe_of(channel).is_pipe) pipe_of(channel).pages.take(number);
  if (was_full && can_write(pipe_of(channel), ring) && peer(channel) != nullptr) ++peer(channel)->pulse;
  return static_cast<long>(number);
}

long write(Channel& channel, const void* from, std::size_t bytes) {
  if (peer(channel) == nullptr) return -EPIPE;
  if (bytes == 0) return 0;
  Ring& ring = outgoing(channel);
  if (!has_room(channel, bytes)) return -EAGAIN;
  Pipe& pipe = pipe_of(channel);
  const std::size_t room = pipe.is_pipe ? pipe.pages.room(bytes) : ring.room();
  const std::size_t number = bytes < room ? bytes : room;
  ring.put(static_cast<const std::uint8_t*>(from), number);
  if (pipe.is_pipe) pipe.pages.put(bytes, number);
  ++peer(channel)->pulse;
  return static_cast<long>(number);
}

void close(Channel& channel) {
  pipe_of(channel).ends[channel.side] = nullptr;
  if (peer(channel) != nullptr) ++peer(channel)->pulse;
}

constexpr ChannelKind kPipe = {events, read, write, has_room, close};

long make_ends(int* ends, std::size_t capacity, bool is_pipe, int flags, std::uint64_t site) {
  use_descriptors(DescriptorCall::Create, Operation::kNoDescriptor, site);
  auto* const pipe = static_cast<Pipe*>(new_state(sizeof(Pipe), site));
  pipe->is_pipe = is_pipe;
  pipe->pages.most = kPipeBytes / kPageBytes;
  for (unsigned side = 0; side < 2; ++side) {
    if (side == 0 || !is_pipe) pipe->to[side] = {static_cast<std::uint8_t*>(new_state(capacity, site)), capacity, 0, 0};
    const int mode = !is_pipe ? O_RDWR : side == 0 ? O_RDONLY : O_WRONLY;
    const int number = add_channel(kPipe, pipe, side, mode | (flags & O_NONBLOCK));
    if (number < 0) unsupported("more than 448 pipes, sockets and event counters at a time", site);
    pipe->ends[side] = channel_of(number);
    ends[side] = number;
  }
  return 0;
}

}  // namespace

long make_pipe(int* ends, int flags, std::uint64_t site) {
  if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) != 0) unsupported("pipe2() with O_DIRECT", site);
  return make_ends(ends, kPipeBytes, true, flags, site);
}

long make_socket_pair(int domain, int type, int* ends, std::uint64_t site) {
  if (domain != AF_UNIX || (type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) != SOCK_STREAM)
    unsupported("socketpair() of others than AF_UNIX stream sockets", site);
  return make_ends(ends, kSocketBytes, false, (type & SOCK_NONBLOCK) != 0 ? O_NONBLOCK : 0, site);
}

long control_pipe(Channel& channel, int command, long argument) {
  if (channel.kind != &kPipe || !pipe_of(channel).is_pipe) return -EBADF;
  Ring& ring = pipe_of(channel).to[0];
  if (command == F_GETPIPE_SZ) return static_cast<long>(ring.capacity);
  Pages& pages = pipe_of(channel).pages;
  std::size_t wanted = kPageBytes;
  while (wanted < static_cast<std::size_t>(argument)) wanted *= 2;
  if (argument < 0 || wanted > kMostPages * kPageBytes) return -EPERM;
  if (wanted / kPageBytes < pages.count) return -EBUSY;
  pages.most = wanted / kPageBytes;
  auto* const bytes = static_cast<std::uint8_t*>(new_state(wanted, 0));
  const std::size_t count = ring.count;
  ring.take(bytes, count);
  ring = {bytes, wanted, 0, count};
  return static_cast<long>(wanted);
}

}  // namespace mazurka::runtime

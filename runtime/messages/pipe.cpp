// Pipes. As in Linux, the capacity of a pipe is counted in pages. A write only shares a page with the previous one if
// its whole remainder modulo the page size fits.
#include <initializer_list>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/epoll.h>

#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kMostPages = 256;
constexpr std::size_t kPagesAtFirst = 16;

/// How the bytes of a pipe are distributed over pages.
struct Pages {
  std::size_t most;
  std::size_t first;  ///< index in a ring
  std::size_t count;
  std::size_t taken;  ///< bytes read from the first page
  std::uint16_t filled[kMostPages];

  std::uint16_t& last() { return filled[(first + count - 1) % kMostPages]; }
  std::uint16_t last() const { return filled[(first + count - 1) % kMostPages]; }
  bool is_full() const { return count >= most; }
  /// How many of the first bytes of a write go to the last page.
  std::size_t shared(std::size_t bytes) const {
    const std::size_t rest = bytes % kPageBytes;
    return count > 0 && last() + rest <= kPageBytes ? rest : 0;
  }
  /// How many bytes of a write fit.
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

constexpr unsigned kReader = 0;
constexpr unsigned kWriter = 1;

struct Pipe {
  Ring ring;
  Pages pages;
  Channel* ends[2];  ///< null: closed
};

Pipe& pipe_of(const Channel& channel) { return *static_cast<Pipe*>(channel.state); }

std::uint32_t events(const Channel& channel, std::uint64_t) {
  const Pipe& pipe = pipe_of(channel);
  if (channel.side == kReader)
    return (pipe.ring.count > 0 ? std::uint32_t{EPOLLIN | EPOLLRDNORM} : 0U) |
           (pipe.ends[kWriter] == nullptr ? std::uint32_t{EPOLLHUP} : 0U);
  return (pipe.pages.is_full() ? 0U : std::uint32_t{EPOLLOUT | EPOLLWRNORM}) |
         (pipe.ends[kReader] == nullptr ? std::uint32_t{EPOLLERR} : 0U);
}

long read(Channel& channel, void* to, std::size_t bytes) {
  Pipe& pipe = pipe_of(channel);
  if (bytes == 0) return 0;
  if (pipe.ring.count == 0) return pipe.ends[kWriter] == nullptr ? 0 : -EAGAIN;
  const bool was_full = pipe.pages.is_full();
  const std::size_t number = bytes < pipe.ring.count ? bytes : pipe.ring.count;
  pipe.ring.take(to, number);
  pipe.pages.take(number);
  if (was_full && !pipe.pages.is_full() && pipe.ends[kWriter] != nullptr)
    notify_pollers(*pipe.ends[kWriter], EPOLLOUT | EPOLLWRNORM);
  return static_cast<long>(number);
}

bool can_read(const Channel& channel, std::size_t bytes, std::uint64_t) {
  const Pipe& pipe = pipe_of(channel);
  return bytes == 0 || pipe.ring.count > 0 || pipe.ends[kWriter] == nullptr;
}

/// A write of up to PIPE_BUF bytes is atomic.
bool has_room(const Channel& channel, const void*, std::size_t bytes) {
  const Pipe& pipe = pipe_of(channel);
  if (pipe.ends[kReader] == nullptr) return true;
  const std::size_t room = pipe.pages.room(bytes);
  return bytes <= PIPE_BUF ? room == bytes : room > 0;
}

long write(Channel& channel, const void* from, std::size_t bytes) {
  Pipe& pipe = pipe_of(channel);
  if (bytes == 0) return 0;
  if (pipe.ends[kReader] == nullptr) return -EPIPE;
  if (!has_room(channel, from, bytes)) return -EAGAIN;
  const std::size_t number = pipe.pages.room(bytes);
  pipe.ring.put(from, number);
  pipe.pages.put(bytes, number);
  notify_pollers(*pipe.ends[kReader], EPOLLIN | EPOLLRDNORM);
  return static_cast<long>(number);
}

void close(Channel& channel) {
  Pipe& pipe = pipe_of(channel);
  pipe.ends[channel.side] = nullptr;
  if (Channel* const other = pipe.ends[1 - channel.side]; other != nullptr)
    notify_pollers(*other, EPOLLIN | EPOLLRDNORM | EPOLLOUT | EPOLLWRNORM | EPOLLERR | EPOLLHUP);
}

constexpr ChannelKind kPipe = {events, read, write, can_read, has_room, close};

}  // namespace

long make_pipe(int* ends, int flags, std::uint64_t site) {
  if ((flags & O_DIRECT) != 0) unsupported("pipe2() with O_DIRECT", site);
  if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) != 0) return -EINVAL;
  begin_making(site);
  auto* const pipe = static_cast<Pipe*>(new_state(sizeof(Pipe), site));
  pipe->pages.most = kPagesAtFirst;
  int made[2];
  for (const unsigned side : {kReader, kWriter}) {
    made[side] = add_channel(kPipe, pipe, side, (side == kReader ? O_RDONLY : O_WRONLY) | flags);
    if (made[side] < 0) unsupported("more than 448 pipes, sockets and event counters at a time", site);
    pipe->ends[side] = channel_of(made[side]);
  }
  observe(static_cast<std::uint64_t>(made[0]), static_cast<std::uint64_t>(made[1]));
  ends[0] = made[0];
  ends[1] = made[1];
  return 0;
}

long control_pipe(Channel& channel, int command, long argument) {
  if (channel.kind != &kPipe) return -EBADF;
  Pages& pages = pipe_of(channel).pages;
  if (command == F_GETPIPE_SZ) return static_cast<long>(pages.most * kPageBytes);
  std::size_t wanted = kPageBytes;
  if (argument < 0) return -EINVAL;
  while (wanted < static_cast<std::size_t>(argument)) wanted *= 2;
  if (wanted > kMostPages * kPageBytes) return -EPERM;
  if (wanted / kPageBytes < pages.count) return -EBUSY;
  const bool was_full = pages.is_full();
  pages.most = wanted / kPageBytes;
  if (Channel* const writer = pipe_of(channel).ends[kWriter]; was_full && !pages.is_full() && writer != nullptr)
    notify_pollers(*writer, EPOLLOUT | EPOLLWRNORM);
  return static_cast<long>(wanted);
}

}  // namespace mazurka::runtime

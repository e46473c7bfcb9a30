// Pairs of connected stream sockets. Unlike in Linux, per-message overhead does not count: a socket buffers 212,992
// bytes, however they were sent.
#include <initializer_list>

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kCapacity = 212'992;
/// Linux calls a socket ready for writing as long as at most a quarter is full; writing works beyond that.
constexpr std::size_t kMostWhenReady = kCapacity / 4;

struct Side {
  Channel* channel;  ///< null: closed
  Ring incoming;
  bool reads_no_more;
  bool writes_no_more;
  int error;  ///< to be reported once
};
struct Pair {
  Side sides[2];
};

Side& own(const Channel& channel) { return static_cast<Pair*>(channel.state)->sides[channel.side]; }
Side& other(const Channel& channel) { return static_cast<Pair*>(channel.state)->sides[1 - channel.side]; }

std::uint32_t events(const Channel& channel, std::uint64_t) {
  const Side& side = own(channel);
  std::uint32_t found = 0;
  if (side.error != 0) found |= EPOLLERR;
  if (side.incoming.count > 0) found |= EPOLLIN | EPOLLRDNORM;
  if (side.reads_no_more) found |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
  if (side.reads_no_more && side.writes_no_more) found |= EPOLLHUP;
  if (other(channel).incoming.count <= kMostWhenReady) found |= EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
  return found;
}

long read(Channel& channel, void* to, std::size_t bytes) {
  Side& side = own(channel);
  if (side.incoming.count == 0) {
    const int error = side.error;
    side.error = 0;
    return error != 0 ? -error : side.reads_no_more ? 0 : -EAGAIN;
  }
  const std::size_t number = bytes < side.incoming.count ? bytes : side.incoming.count;
  if (number == 0) return 0;
  side.incoming.take(to, number);
  if (other(channel).channel != nullptr) notify_pollers(*other(channel).channel, EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
  return static_cast<long>(number);
}

/// A recv() of nothing waits like any other.
bool can_read(const Channel& channel, std::size_t, std::uint64_t) {
  const Side& side = own(channel);
  return side.incoming.count > 0 || side.error != 0 || side.reads_no_more;
}

bool has_room(const Channel& channel, const void*, std::size_t bytes) {
  return bytes == 0 || own(channel).writes_no_more || other(channel).incoming.count < kCapacity;
}

long write(Channel& channel, const void* from, std::size_t bytes) {
  Side& receiver = other(channel);
  if (own(channel).writes_no_more) return -EPIPE;
  if (bytes == 0) return 0;
  const std::size_t room = kCapacity - receiver.incoming.count;
  if (room == 0) return -EAGAIN;
  const std::size_t number = bytes < room ? bytes : room;
  receiver.incoming.put(from, number);
  notify_pollers(*receiver.channel, EPOLLIN | EPOLLRDNORM);
  return static_cast<long>(number);
}

/// Both sides learn that one of them has stopped reading or writing.
void shut_down(const Channel& channel, bool reading, bool writing) {
  Side& mine = own(channel);
  Side& theirs = other(channel);
  mine.reads_no_more |= reading;
  mine.writes_no_more |= writing;
  theirs.writes_no_more |= reading;
  theirs.reads_no_more |= writing;
  constexpr std::uint32_t kChanged = EPOLLIN | EPOLLRDNORM | EPOLLRDHUP | EPOLLOUT | EPOLLWRNORM | EPOLLHUP | EPOLLERR;
  for (const Side* side : {&mine, &theirs})
    if (side->channel != nullptr) notify_pollers(*side->channel, kChanged);
}

void close(Channel& channel) {
  own(channel).channel = nullptr;
  // Data that was sent but never read is lost: the sender gets an error.
  if (own(channel).incoming.count > 0) other(channel).error = ECONNRESET;
  shut_down(channel, true, true);
}

constexpr ChannelKind kSocket = {events, read, write, can_read, has_room, close};

}  // namespace

bool is_socket(const Channel& channel) { return channel.kind == &kSocket; }

long make_socket_pair(int domain, int type, int protocol, int* ends, std::uint64_t site) {
  if (domain != AF_UNIX || (type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) != SOCK_STREAM || protocol != 0)
    unsupported("socketpair() of anything but AF_UNIX stream sockets", site);
  begin_making(site);
  auto* const pair = static_cast<Pair*>(new_state(sizeof(Pair), site));
  static_assert(SOCK_CLOEXEC == O_CLOEXEC && SOCK_NONBLOCK == O_NONBLOCK);
  int made[2];
  for (unsigned side = 0; side < 2; ++side) {
    made[side] = add_channel(kSocket, pair, side, O_RDWR | (type & (SOCK_CLOEXEC | SOCK_NONBLOCK)));
    if (made[side] < 0) unsupported("more than 448 pipes, sockets and event counters at a time", site);
    pair->sides[side].channel = channel_of(made[side]);
  }
  observe(static_cast<std::uint64_t>(made[0]), static_cast<std::uint64_t>(made[1]));
  ends[0] = made[0];
  ends[1] = made[1];
  return 0;
}

long shut_down(int file, int how, std::uint64_t site) {
  use_descriptors(DescriptorCall::ShutDown, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return returned(-EBADF);
  if (!is_socket(*channel)) return returned(-ENOTSOCK);
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return returned(-EINVAL);
  shut_down(*channel, how != SHUT_WR, how != SHUT_RD);
  return returned(0);
}

long bytes_in(const Channel& channel) {
  return is_socket(channel) ? static_cast<long>(own(channel).incoming.count) : -ENOTTY;
}

}  // namespace mazurka::runtime

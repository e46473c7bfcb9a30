// Event counters: eventfd.
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint64_t kMostCounted = UINT64_MAX - 1;

struct Counter {
  std::uint64_t count;
  bool semaphore;  ///< a read takes 1
};

Counter& counter_of(const Channel& channel) { return *static_cast<Counter*>(channel.state); }

std::uint32_t events(const Channel& channel, std::uint64_t) {
  const std::uint64_t count = counter_of(channel).count;
  return (count > 0 ? static_cast<std::uint32_t>(EPOLLIN) : 0U) |
         (count < kMostCounted ? static_cast<std::uint32_t>(EPOLLOUT) : 0U);
}

long read(Channel& channel, void* to, std::size_t bytes) {
  Counter& counter = counter_of(channel);
  if (bytes < sizeof counter.count) return -EINVAL;
  if (counter.count == 0) return -EAGAIN;
  const std::uint64_t taken = counter.semaphore ? 1 : counter.count;
  counter.count -= taken;
  copy_bytes(to, &taken, sizeof taken);
  notify_pollers(channel, EPOLLOUT);
  return sizeof taken;
}

bool can_read(const Channel& channel, std::size_t bytes, std::uint64_t) {
  return bytes < sizeof(std::uint64_t) || counter_of(channel).count > 0;
}

/// Only valid values block.
bool has_room(const Channel& channel, const void* from, std::size_t bytes) {
  std::uint64_t added;
  if (bytes != sizeof added) return true;
  copy_bytes(&added, from, sizeof added);
  return added == UINT64_MAX || added <= kMostCounted - counter_of(channel).count;
}

long write(Channel& channel, const void* from, std::size_t bytes) {
  Counter& counter = counter_of(channel);
  std::uint64_t added;
  if (bytes != sizeof added) return -EINVAL;  // as Linux 6.18 does
  copy_bytes(&added, from, sizeof added);
  if (added == UINT64_MAX) return -EINVAL;
  if (!has_room(channel, from, bytes)) return -EAGAIN;
  counter.count += added;
  notify_pollers(channel, EPOLLIN);
  return sizeof added;
}

void close(Channel&) {}

constexpr ChannelKind kCounter = {events, read, write, can_read, has_room, close};

}  // namespace

long make_counter(unsigned count, int flags, std::uint64_t site) {
  if ((flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)) != 0) return -EINVAL;
  begin_making(site);
  auto* const counter = static_cast<Counter*>(new_state(sizeof(Counter), site));
  *counter = {count, (flags & EFD_SEMAPHORE) != 0};
  static_assert(EFD_CLOEXEC == O_CLOEXEC && EFD_NONBLOCK == O_NONBLOCK);
  return returned(add_channel(kCounter, counter, 0, O_RDWR | (flags & (EFD_CLOEXEC | EFD_NONBLOCK))));
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int eventfd_read(int file, eventfd_t* value) {
  if (!is_channel(file)) return reinterpret_cast<int (*)(int, eventfd_t*)>(next_function("eventfd_read"))(file, value);
  const long result = read_channel(file, value, sizeof *value, {}, MAZURKA_SITE);
  return result == sizeof *value ? 0 : static_cast<int>(or_errno(result));
}
MAZURKA_REPLACEABLE int eventfd_write(int file, eventfd_t value) {
  if (!is_channel(file)) return reinterpret_cast<int (*)(int, eventfd_t)>(next_function("eventfd_write"))(file, value);
  bool broken;
  const long result = write_channel(file, &value, sizeof value, {}, broken, MAZURKA_SITE);
  return result == sizeof value ? 0 : static_cast<int>(or_errno(result));
}

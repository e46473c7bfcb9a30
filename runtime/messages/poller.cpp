// Pollers: epoll. Level-triggered entries are reported as long as they are ready, edge-triggered ones once for each
// time that something happens (Channel::pulse) while they are ready. What is ready is reported in the order of
// registration.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>

#include "runtime/detector/clocks.hpp"
#include "runtime/export.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/messages/waiting_time.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

struct Entry {
  Entry* next;
  int file;
  Channel* channel;
  epoll_event wanted;
  std::uint32_t seen;  ///< the pulse that was reported
  bool disabled;       ///< EPOLLONESHOT, and reported
};

struct Poller {
  Poller* next;  ///< of all
  Entry* first;
};
Poller* pollers;  // in the program's memory

Poller& poller_of(const Channel& channel) { return *static_cast<Poller*>(channel.state); }

std::uint32_t events_of(const Entry& entry, std::uint64_t now) {
  if (entry.disabled) return 0;
  const Channel& channel = *entry.channel;
  const std::uint32_t found =
      channel.kind->events(channel, now) & (entry.wanted.events | std::uint32_t{EPOLLERR | EPOLLHUP});
  // A timer that has expired by now has a new edge, even if nobody has settled it.
  const bool new_edge = entry.seen != channel.pulse || expiry_of(channel) <= now;
  return (entry.wanted.events & EPOLLET) != 0 && !new_edge ? 0 : found;
}

std::uint32_t events(const Channel& channel, std::uint64_t now) {
  for (const Entry* entry = poller_of(channel).first; entry != nullptr; entry = entry->next)
    if (events_of(*entry, now) != 0) return EPOLLIN;
  return 0;
}

long read(Channel&, void*, std::size_t) { return -EINVAL; }
long write(Channel&, const void*, std::size_t) { return -EINVAL; }
bool has_room(const Channel&, std::size_t) { return true; }

void close(Channel& channel) {
  Poller** place = &pollers;
  while (*place != &poller_of(channel)) place = &(*place)->next;
  *place = (*place)->next;
}

constexpr ChannelKind kPoller = {events, read, write, has_room, close};

struct Wait {
  int file;
  long long nanoseconds;
  const Thread* thread;
};

WaitingTime time_of(const Wait& wait) {
  WaitingTime time;
  if (Channel* channel = channel_of(wait.file); channel != nullptr) time.watch(*channel);
  if (wait.nanoseconds > 0) time.deadline = wait.thread->clock + static_cast<std::uint64_t>(wait.nanoseconds);
  return time;
}

unsigned is_ready(const void* what) {
  const auto& wait = *static_cast<const Wait*>(what);
  const Channel* channel = channel_of(wait.file);
  if (channel == nullptr || channel->kind != &kPoller) return kReady;
  const bool ready = wait.nanoseconds == 0 || events(*channel, wait.thread->clock) != 0;
  return (ready ? kReady : 0) | time_of(wait).bits();
}

long register_with(int file, int operation, int watched, const epoll_event* wanted, std::uint64_t site) {
  use_descriptors(DescriptorCall::Register, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return -EBADF;
  if (channel->kind != &kPoller || file == watched) return -EINVAL;
  Channel* const target = channel_of(watched);
  if (target == nullptr) {
    if (!is_channel(watched) && watched >= 0 && watched < 3)
      unsupported("epoll_ctl() of a descriptor that leads out of the program", site);
    return -EBADF;
  }
  Poller& poller = poller_of(*channel);
  Entry** place = &poller.first;
  while (*place != nullptr && ((*place)->file != watched || (*place)->channel != target)) place = &(*place)->next;
  release(&poller);
  switch (operation) {
    case EPOLL_CTL_ADD:
      if (*place != nullptr) return -EEXIST;
      *place = static_cast<Entry*>(new_state(sizeof(Entry), site));
      **place = {nullptr, watched, target, *wanted, target->pulse - 1, false};
      break;
    case EPOLL_CTL_MOD:
      if (*place == nullptr) return -ENOENT;
      (*place)->wanted = *wanted;
      (*place)->seen = target->pulse - 1;
      (*place)->disabled = false;
      break;
    case EPOLL_CTL_DEL:
      if (*place == nullptr) return -ENOENT;
      *place = (*place)->next;
      return 0;
    default: return -EINVAL;
  }
  ++channel->pulse;
  return 0;
}

long wait_for_events(int file, epoll_event* found, int most, long long nanoseconds, std::uint64_t site) {
  if (most <= 0) return -EINVAL;
  const Wait wait{file, nanoseconds, &self()};
  const bool passed = wait_for_descriptors(is_ready, &wait, true, DescriptorCall::Wait, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return -EBADF;
  if (channel->kind != &kPoller) return -EINVAL;
  if (passed) time_of(wait).pass();
  acquire(&poller_of(*channel));
  int count = 0;
  for (Entry* entry = poller_of(*channel).first; entry != nullptr && count < most; entry = entry->next) {
    const std::uint32_t now = events_of(*entry, self().clock);
    if (now == 0) continue;
    found[count].events = now;
    found[count++].data = entry->wanted.data;
    entry->seen = entry->channel->pulse;
    entry->disabled = (entry->wanted.events & EPOLLONESHOT) != 0;
  }
  return count;
}

long make_poller(std::uint64_t site) {
  use_descriptors(DescriptorCall::Create, Operation::kNoDescriptor, site);
  auto* const poller = static_cast<Poller*>(new_state(sizeof(Poller), site));
  *poller = {pollers, nullptr};
  pollers = poller;
  return add_channel(kPoller, poller, 0, O_RDWR);
}

int wait_or_pass_on(int file, epoll_event* found, int most, int milliseconds, std::uint64_t site) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(int, epoll_event*, int, int)>(next_function("epoll_wait"))(file, found, most,
                                                                                               milliseconds);
  if (!is_channel(file)) unsupported("epoll_wait() on a descriptor that is not the program's own", site);
  const long long nanoseconds = milliseconds < 0 ? -1 : milliseconds * 1'000'000LL;
  return static_cast<int>(or_errno(wait_for_events(file, found, most, nanoseconds, site)));
}

}  // namespace

void leave_pollers(const Channel& channel) {
  for (Poller* poller = pollers; poller != nullptr; poller = poller->next)
    for (Entry** place = &poller->first; *place != nullptr;)
      if ((*place)->channel == &channel)
        *place = (*place)->next;
      else
        place = &(*place)->next;
}

std::uint64_t first_expiry_of(const Channel& channel, Channel** timer) {
  std::uint64_t first = kNeverExpires;
  if (channel.kind != &kPoller) return first;
  for (const Entry* entry = poller_of(channel).first; entry != nullptr; entry = entry->next)
    if (const std::uint64_t expiry = expiry_of(*entry->channel); expiry < first && !entry->disabled) {
      first = expiry;
      *timer = entry->channel;
    }
  return first;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int epoll_create1(int flags) noexcept {
  if (!makes_channels()) return reinterpret_cast<int (*)(int)>(next_function("epoll_create1"))(flags);
  if ((flags & ~EPOLL_CLOEXEC) != 0) return fail_with(EINVAL);
  return static_cast<int>(or_errno(make_poller(MAZURKA_SITE)));
}
MAZURKA_REPLACEABLE int epoll_create(int size) noexcept {
  if (!makes_channels()) return reinterpret_cast<int (*)(int)>(next_function("epoll_create"))(size);
  return size <= 0 ? fail_with(EINVAL) : static_cast<int>(or_errno(make_poller(MAZURKA_SITE)));
}
MAZURKA_REPLACEABLE int epoll_ctl(int file, int operation, int watched, epoll_event* wanted) noexcept {
  if (!is_channel(file))
    return reinterpret_cast<int (*)(int, int, int, epoll_event*)>(next_function("epoll_ctl"))(file, operation, watched,
                                                                                              wanted);
  return static_cast<int>(or_errno(register_with(file, operation, watched, wanted, MAZURKA_SITE)));
}
MAZURKA_REPLACEABLE int epoll_wait(int file, epoll_event* found, int most, int milliseconds) {
  return wait_or_pass_on(file, found, most, milliseconds, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int epoll_pwait(int file, epoll_event* found, int most, int milliseconds, const sigset_t* mask) {
  if (mask != nullptr && !worker.standalone) unsupported("epoll_pwait() with a mask of signals", MAZURKA_SITE);
  return wait_or_pass_on(file, found, most, milliseconds, MAZURKA_SITE);
}

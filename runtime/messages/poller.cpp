// Pollers: epoll. As in Linux, a poller has a ready list of entries that may be ready. An entry is appended when an
// event happens to its channel, and when it is registered while that is ready. A wait takes entries from the front.
// Those that are not ready leave the list; so do those that are reported, but a level-triggered one is appended again.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>

#include "runtime/detector/clocks.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
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
  bool disabled;         ///< EPOLLONESHOT, and already reported
  std::uint64_t listed;  ///< position in the ready list, in ascending order; 0 if not listed
};

struct Poller {
  Poller* next;  ///< list of all
  Entry* first;
  Channel* channel;
  std::uint64_t places;  ///< the last position given out
};
Poller* pollers;  // in the program's memory

Poller& poller_of(const Channel& channel) { return *static_cast<Poller*>(channel.state); }

std::uint32_t events_of(const Entry& entry, std::uint64_t now) {
  if (entry.disabled) return 0;
  return entry.channel->kind->events(*entry.channel, now) & (entry.wanted.events | std::uint32_t{EPOLLERR | EPOLLHUP});
}

/// Whether a wait would report it. A timer that has expired is only listed when somebody looks.
bool is_reported(const Entry& entry, std::uint64_t now) {
  return (entry.listed != 0 || expiry_of(*entry.channel) <= now) && events_of(entry, now) != 0;
}

void list(Poller& poller, Entry& entry) {
  if (entry.listed != 0) return;
  entry.listed = ++poller.places;
  notify_pollers(*poller.channel, EPOLLIN | EPOLLRDNORM);
}

void list_if_ready(Poller& poller, Entry& entry) {
  if (is_timer(*entry.channel)) settle(*entry.channel, self().clock);
  if (events_of(entry, self().clock) != 0) list(poller, entry);
}

std::uint32_t events(const Channel& channel, std::uint64_t now) {
  for (const Entry* entry = poller_of(channel).first; entry != nullptr; entry = entry->next)
    if (is_reported(*entry, now)) return EPOLLIN | EPOLLRDNORM;
  return 0;
}

long read(Channel&, void*, std::size_t) { return -EINVAL; }
long write(Channel&, const void*, std::size_t) { return -EINVAL; }
bool can_read(const Channel&, std::size_t, std::uint64_t) { return true; }
bool has_room(const Channel&, const void*, std::size_t) { return true; }

void close(Channel& channel) {
  Poller** place = &pollers;
  while (*place != &poller_of(channel)) place = &(*place)->next;
  *place = (*place)->next;
}

constexpr ChannelKind kPoller = {events, read, write, can_read, has_room, close};

struct Wait {
  Channel* poller;
  long long nanoseconds;
  const Thread* thread;
};

WaitingTime time_of(const Wait& wait) {
  WaitingTime time(*wait.thread, wait.nanoseconds);
  time.watch(*wait.poller);
  return time;
}

Prospect prospect_of(const void* what) {
  const auto& wait = *static_cast<const Wait*>(what);
  return time_of(wait).prospect(wait.nanoseconds == 0 || events(*wait.poller, wait.thread->clock) != 0);
}

/// Whether `watched` is, or watches directly or indirectly, `poller`.
bool is_circular(const Channel& poller, const Channel& watched) {
  if (&poller == &watched) return true;
  if (watched.kind != &kPoller) return false;
  for (const Entry* entry = poller_of(watched).first; entry != nullptr; entry = entry->next)
    if (is_circular(poller, *entry->channel)) return true;
  return false;
}

long change_entry(int file, int operation, int watched, const epoll_event* wanted, std::uint64_t site) {
  Channel* const channel = channel_of(file);
  Channel* const target = channel_of(watched);
  if (channel == nullptr || (target == nullptr && (is_channel(watched) || watched < 0))) return -EBADF;
  if (target == nullptr) unsupported("epoll_ctl() of a descriptor that leads out of the program", site);
  if (channel->kind != &kPoller || channel == target) return -EINVAL;
  if (operation != EPOLL_CTL_DEL && (wanted->events & (EPOLLEXCLUSIVE | EPOLLWAKEUP)) != 0)
    unsupported("epoll_ctl() with EPOLLEXCLUSIVE or EPOLLWAKEUP", site);
  Poller& poller = poller_of(*channel);
  Entry** place = &poller.first;
  while (*place != nullptr && ((*place)->file != watched || (*place)->channel != target)) place = &(*place)->next;
  release(&poller);
  switch (operation) {
    case EPOLL_CTL_ADD:
      if (*place != nullptr) return -EEXIST;
      if (is_circular(*channel, *target)) return -ELOOP;
      *place = static_cast<Entry*>(new_state(sizeof(Entry), site));
      **place = {nullptr, watched, target, *wanted, false, 0};
      list_if_ready(poller, **place);
      return 0;
    case EPOLL_CTL_MOD:
      if (*place == nullptr) return -ENOENT;
      (*place)->wanted = *wanted;
      (*place)->disabled = false;
      list_if_ready(poller, **place);
      return 0;
    case EPOLL_CTL_DEL:
      if (*place == nullptr) return -ENOENT;
      *place = (*place)->next;
      return 0;
    default: return -EINVAL;
  }
}

/// The entry after position `after` in the ready list; null if there is none.
Entry* next_listed(const Poller& poller, std::uint64_t after) {
  Entry* found = nullptr;
  for (Entry* entry = poller.first; entry != nullptr; entry = entry->next)
    if (entry->listed > after && (found == nullptr || entry->listed < found->listed)) found = entry;
  return found;
}

int report(Poller& poller, epoll_event* found, int most) {
  const std::uint64_t now = self().clock;
  for (Entry* entry = poller.first; entry != nullptr; entry = entry->next)
    if (is_timer(*entry->channel)) settle(*entry->channel, now);
  const std::uint64_t last = poller.places;  // entries appended meanwhile are not visited again
  int count = 0;
  for (Entry* entry = next_listed(poller, 0); entry != nullptr && entry->listed <= last && count < most;) {
    const std::uint64_t place = entry->listed;
    entry->listed = 0;
    if (const std::uint32_t events = events_of(*entry, now); events != 0) {
      found[count].events = events;
      found[count++].data = entry->wanted.data;
      if ((entry->wanted.events & EPOLLONESHOT) != 0)
        entry->disabled = true;
      else if ((entry->wanted.events & EPOLLET) == 0)
        entry->listed = ++poller.places;
    }
    entry = next_listed(poller, place);
  }
  return count;
}

long wait_for_events(int file, epoll_event* found, int most, long long nanoseconds, std::uint64_t site) {
  if (most <= 0) return -EINVAL;
  Channel* const channel = look_up(DescriptorCall::Wait, file, site);
  if (channel == nullptr) return returned(-EBADF);
  if (channel->kind != &kPoller) {
    let_go(channel);
    return returned(-EINVAL);
  }
  const Wait wait{channel, nanoseconds, &self()};
  if (wait_for_descriptors(prospect_of, &wait, DescriptorCall::Wait, file, site) > 0) time_of(wait).pass();
  acquire(&poller_of(*channel));
  constexpr int kMostEntries = 1024;  // more than there are descriptors
  if (most > kMostEntries) most = kMostEntries;
  Output events_found(found, static_cast<std::size_t>(most) * sizeof *found, site);
  const int count = report(poller_of(*channel), static_cast<epoll_event*>(events_found.address()), most);
  returned(count);
  let_go(channel);
  events_found.wrote(static_cast<std::size_t>(count) * sizeof *found);
  return count;
}

long make_poller(int flags, std::uint64_t site) {
  begin_making(site);
  auto* const poller = static_cast<Poller*>(new_state(sizeof(Poller), site));
  const int file = add_channel(kPoller, poller, 0, O_RDWR | flags);
  if (file < 0) return returned(file);
  *poller = {pollers, nullptr, channel_of(file), 0};
  pollers = poller;
  return returned(file);
}

int wait_or_pass_on(int file, epoll_event* found, int most, long long nanoseconds, std::uint64_t site) {
  if (!is_channel(file)) unsupported("epoll_wait() on a descriptor that is not the program's own", site);
  return static_cast<int>(or_errno(wait_for_events(file, found, most, nanoseconds, site)));
}

long long from_milliseconds(int time) { return time < 0 ? -1 : time * 1'000'000LL; }

}  // namespace

bool is_poller(const Channel& channel) { return channel.kind == &kPoller; }

void notify_pollers(const Channel& channel, std::uint32_t events) {
  for (Poller* poller = pollers; poller != nullptr; poller = poller->next)
    for (Entry* entry = poller->first; entry != nullptr; entry = entry->next)
      if (entry->channel == &channel && !entry->disabled &&
          (events & (entry->wanted.events | std::uint32_t{EPOLLERR | EPOLLHUP})) != 0)
        list(*poller, *entry);
}

void leave_pollers(const Channel& channel) {
  for (Poller* poller = pollers; poller != nullptr; poller = poller->next)
    for (Entry** place = &poller->first; *place != nullptr;)
      if ((*place)->channel == &channel)
        *place = (*place)->next;
      else
        place = &(*place)->next;
}

std::uint64_t first_expiry_of(const Channel& channel, Channel** timer) {
  std::uint64_t first = Prospect::kNever;
  if (channel.kind != &kPoller) return first;
  for (const Entry* entry = poller_of(channel).first; entry != nullptr; entry = entry->next) {
    if (entry->disabled || (entry->wanted.events & EPOLLIN) == 0) continue;
    Channel* found = entry->channel;
    const std::uint64_t expiry = is_timer(*found) ? expiry_of(*found) : first_expiry_of(*entry->channel, &found);
    if (expiry >= first) continue;
    first = expiry;
    *timer = found;
  }
  return first;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int epoll_create1(int flags) noexcept {
  if (!makes_channels()) return reinterpret_cast<int (*)(int)>(next_function("epoll_create1"))(flags);
  if ((flags & ~EPOLL_CLOEXEC) != 0) return fail_with(EINVAL);
  return static_cast<int>(or_errno(make_poller(flags, MAZURKA_SITE)));
}
MAZURKA_REPLACEABLE int epoll_create(int size) noexcept {
  if (!makes_channels()) return reinterpret_cast<int (*)(int)>(next_function("epoll_create"))(size);
  return size <= 0 ? fail_with(EINVAL) : static_cast<int>(or_errno(make_poller(0, MAZURKA_SITE)));
}
MAZURKA_REPLACEABLE int epoll_ctl(int file, int operation, int watched, epoll_event* wanted) noexcept {
  if (!is_channel(file))
    return reinterpret_cast<int (*)(int, int, int, epoll_event*)>(next_function("epoll_ctl"))(file, operation, watched,
                                                                                              wanted);
  const std::uint64_t site = MAZURKA_SITE;
  epoll_event copy{};
  if (operation != EPOLL_CTL_DEL) {
    MAZURKA_READS(wanted, sizeof *wanted);
    copy = *wanted;
  }
  use_descriptors(mazurka::DescriptorCall::Register, file, site);
  return static_cast<int>(or_errno(returned(change_entry(file, operation, watched, &copy, site))));
}
MAZURKA_REPLACEABLE int epoll_wait(int file, epoll_event* found, int most, int milliseconds) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(int, epoll_event*, int, int)>(next_function("epoll_wait"))(file, found, most,
                                                                                               milliseconds);
  return wait_or_pass_on(file, found, most, from_milliseconds(milliseconds), MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int epoll_pwait(int file, epoll_event* found, int most, int milliseconds, const sigset_t* mask) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(int, epoll_event*, int, int, const sigset_t*)>(next_function("epoll_pwait"))(
        file, found, most, milliseconds, mask);
  if (mask != nullptr) unsupported("epoll_pwait() with a mask of signals", MAZURKA_SITE);
  return wait_or_pass_on(file, found, most, from_milliseconds(milliseconds), MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int epoll_pwait2(int file, epoll_event* found, int most, const timespec* time,
                                     const sigset_t* mask) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(int, epoll_event*, int, const timespec*, const sigset_t*)>(
        next_function("epoll_pwait2"))(file, found, most, time, mask);
  if (mask != nullptr) unsupported("epoll_pwait2() with a mask of signals", MAZURKA_SITE);
  const long long nanoseconds = time == nullptr ? -1 : time->tv_sec * 1'000'000'000LL + time->tv_nsec;
  return wait_or_pass_on(file, found, most, nanoseconds, MAZURKA_SITE);
}

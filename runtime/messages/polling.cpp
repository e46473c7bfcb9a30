// poll and select.
#include <cstddef>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/arch.hpp"
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

constexpr const char* kPollOutside = "poll() of a descriptor that leads out of the program";
constexpr const char* kSelectOutside = "select() of a descriptor that leads out of the program";

/// What a call watches. POLLIN and its kin have the values of EPOLLIN.
///
/// As in Linux, a call that waits is woken by the descriptions that its numbers stood for at first, which it holds.
/// Once woken it looks at what the numbers stand for then.
struct Watched {
  pollfd* files;
  Channel** held;  ///< for each of them; null if there is none
  std::size_t count;
  long long nanoseconds;
  const Thread* thread;
};

std::uint32_t events_of(const pollfd& file, const Channel* channel, std::uint64_t now) {
  if (file.fd < 0) return 0;
  if (channel == nullptr) return POLLNVAL;
  return channel->kind->events(*channel, now) &
         (static_cast<std::uint16_t>(file.events) | std::uint32_t{POLLERR | POLLHUP});
}

WaitingTime time_of(const Watched& watched) {
  WaitingTime time(*watched.thread, watched.nanoseconds);
  for (std::size_t i = 0; i < watched.count; ++i)
    if (Channel* const channel = channel_of(watched.files[i].fd); watched.held[i] != nullptr &&
                                                                  (channel == nullptr || channel == watched.held[i]) &&
                                                                  (watched.files[i].events & POLLIN) != 0)
      time.watch(*watched.held[i]);
  return time;
}

Prospect prospect_of(const void* what) {
  const auto& watched = *static_cast<const Watched*>(what);
  const std::uint64_t now = watched.thread->clock;
  bool woken = false;
  bool finds = false;
  for (std::size_t i = 0; i < watched.count; ++i) {
    const pollfd& file = watched.files[i];
    woken = woken || events_of(file, watched.held[i], now) != 0;
    finds = finds || events_of(file, channel_of(file.fd), now) != 0;
  }
  return time_of(watched).prospect(watched.nanoseconds == 0 || (woken && finds));
}

int poll_all(pollfd* files, std::size_t count, long long nanoseconds, const char* call, std::uint64_t site) {
  for (std::size_t i = 0; i < count; ++i)
    if (files[i].fd >= 0 && !is_channel(files[i].fd)) unsupported(call, site);
  Channel* held[FD_SETSIZE];
  const Watched watched{files, held, count, nanoseconds, &self()};
  // If there is a single descriptor, the operation names it.
  const int file = count == 1 ? files[0].fd : static_cast<int>(Operation::kNoDescriptor);
  begin_call(DescriptorCall::Poll, file, site);
  for (std::size_t i = 0; i < count; ++i) held[i] = hold(files[i].fd);
  returned(0);
  if (wait_for_descriptors(prospect_of, &watched, DescriptorCall::Poll, file, site) > 0) time_of(watched).pass();
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    files[i].revents = static_cast<short>(events_of(files[i], channel_of(files[i].fd), self().clock));
    found += files[i].revents != 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (held[i] != nullptr) let_go(held[i]);
  return static_cast<int>(returned(found));
}

/// As in Linux, the call reads what it is to watch at its begin, and writes what it found at its end.
int poll_for(pollfd* files, std::size_t count, long long nanoseconds, const Caller& caller) {
  if (count > FD_SETSIZE) unsupported("poll() of more than 1024 descriptors", caller.site());
  pollfd copies[FD_SETSIZE];
  for (std::size_t i = 0; i < count; ++i) {
    use_argument(false, files + i, offsetof(pollfd, revents), caller);
    copies[i] = {files[i].fd, files[i].events, 0};
  }
  const int found = poll_all(copies, count, nanoseconds, kPollOutside, caller.site());
  for (std::size_t i = 0; i < count; ++i) {
    use_argument(true, &files[i].revents, sizeof files[i].revents, caller);
    files[i].revents = copies[i].revents;
  }
  return found;
}

/// The number of bytes that select() uses of a set.
std::size_t bytes_of_set(int end) {
  const std::size_t words = (static_cast<std::size_t>(end < FD_SETSIZE ? end : FD_SETSIZE) + 63) / 64;
  return words * 8;
}

/// select() with sets of the caller's own.
int select_from(int end, fd_set* in, fd_set* out, fd_set* exceptional, long long nanoseconds, std::uint64_t site) {
  pollfd files[FD_SETSIZE];
  std::size_t count = 0;
  const auto has = [](const fd_set* set, int file) { return set != nullptr && FD_ISSET(file, set); };
  for (int file = 0; file < end && file < FD_SETSIZE; ++file) {
    int wanted = (has(in, file) ? POLLIN : 0) | (has(out, file) ? POLLOUT : 0);
    if (wanted == 0 && !has(exceptional, file)) continue;
    files[count++] = {file, static_cast<short>(wanted), 0};
  }
  poll_all(files, count, nanoseconds, kSelectOutside, site);
  for (std::size_t i = 0; i < count; ++i)
    if ((files[i].revents & POLLNVAL) != 0) return fail_with(EBADF);
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto keep = [&](fd_set* set, int events) {
      if (!has(set, files[i].fd)) return;
      if ((files[i].revents & events) != 0)
        ++found;
      else
        FD_CLR(files[i].fd, set);
    };
    keep(in, POLLIN | POLLHUP | POLLERR);
    keep(out, POLLOUT | POLLERR);
    keep(exceptional, 0);
  }
  return found;
}

int select_all(int end, fd_set* in, fd_set* out, fd_set* exceptional, long long nanoseconds, const Caller& caller) {
  if (end < 0) return fail_with(EINVAL);
  const std::size_t bytes = bytes_of_set(end);
  fd_set* const given[] = {in, out, exceptional};
  fd_set sets[3];
  fd_set* copies[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (given[i] == nullptr) continue;
    use_argument(false, given[i], bytes, caller);
    copy_bytes(copies[i] = &sets[i], given[i], bytes);
  }
  const int found = select_from(end, copies[0], copies[1], copies[2], nanoseconds, caller.site());
  for (int i = 0; i < 3 && found >= 0; ++i) {
    if (given[i] == nullptr) continue;
    use_argument(true, given[i], bytes, caller);
    copy_bytes(given[i], copies[i], bytes);
  }
  return found;
}

long long nanoseconds(const timespec* time, const Caller& caller) {
  use_argument(false, time, sizeof *time, caller);
  return time == nullptr ? -1 : time->tv_sec * 1'000'000'000LL + time->tv_nsec;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(pollfd*, nfds_t, int)>(next_function("poll"))(files, count, milliseconds);
  return poll_for(files, count, milliseconds < 0 ? -1 : milliseconds * 1'000'000LL, MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE int ppoll(pollfd* files, nfds_t count, const timespec* time, const sigset_t* mask) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(pollfd*, nfds_t, const timespec*, const sigset_t*)>(next_function("ppoll"))(
        files, count, time, mask);
  if (mask != nullptr) unsupported("ppoll() with a mask of signals", MAZURKA_SITE);
  return poll_for(files, count, nanoseconds(time, MAZURKA_CALLER), MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE int pselect(int end, fd_set* in, fd_set* out, fd_set* exceptional, const timespec* time,
                                const sigset_t* mask) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>(
        next_function("pselect"))(end, in, out, exceptional, time, mask);
  if (mask != nullptr) unsupported("pselect() with a mask of signals", MAZURKA_SITE);
  return select_all(end, in, out, exceptional, nanoseconds(time, MAZURKA_CALLER), MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE int select(int end, fd_set* in, fd_set* out, fd_set* exceptional, timeval* time) {
  if (worker.standalone)
    return reinterpret_cast<int (*)(int, fd_set*, fd_set*, fd_set*, timeval*)>(next_function("select"))(
        end, in, out, exceptional, time);
  MAZURKA_READS(time, sizeof *time);
  const long long patience = time == nullptr ? -1 : time->tv_sec * 1'000'000'000LL + time->tv_usec * 1'000LL;
  return select_all(end, in, out, exceptional, patience, MAZURKA_CALLER);
}

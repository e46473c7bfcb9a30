// Timers with descriptors: timerfd, in virtual time. An armed timer may expire at any time, as a timed wait may time
// out at any time (passing_time.hpp): a thread that reads it has both alternatives. Once a thread's clock has reached
// the expiry, the timer has expired for that thread.
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

struct Timer {
  clockid_t clock;
  std::uint64_t expirations;
  std::uint64_t expiry;    ///< Prospect::kNever: not armed
  std::uint64_t interval;  ///< 0: one-shot
};

Timer& timer_of(const Channel& channel) { return *static_cast<Timer*>(channel.state); }

std::uint32_t events(const Channel& channel, std::uint64_t now) {
  const Timer& timer = timer_of(channel);
  return timer.expirations > 0 || timer.expiry <= now ? std::uint32_t{EPOLLIN} : 0U;
}

long read(Channel& channel, void* to, std::size_t bytes) {
  Timer& timer = timer_of(channel);
  if (bytes < sizeof timer.expirations) return -EINVAL;
  settle(channel, self().clock);
  if (timer.expirations == 0) return -EAGAIN;
  copy_bytes(to, &timer.expirations, sizeof timer.expirations);
  timer.expirations = 0;
  return sizeof timer.expirations;
}

long write(Channel&, const void*, std::size_t) { return -EINVAL; }
bool can_read(const Channel& channel, std::size_t bytes, std::uint64_t now) {
  return bytes < sizeof(std::uint64_t) || events(channel, now) != 0;
}
bool has_room(const Channel&, const void*, std::size_t) { return true; }
void close(Channel&) {}

constexpr ChannelKind kTimer = {events, read, write, can_read, has_room, close};

timespec to_timespec(std::uint64_t time) {
  return {static_cast<time_t>(time / kSecond), static_cast<long>(time % kSecond)};
}
std::uint64_t nanoseconds(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

bool is_valid(const itimerspec& wanted) {
  const auto is_time = [](const timespec& time) {
    return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kSecond);
  };
  return is_time(wanted.it_interval) && is_time(wanted.it_value);
}

itimerspec setting_of(const Timer& timer) {
  const std::uint64_t now = self().clock;
  const std::uint64_t left = timer.expiry == Prospect::kNever ? 0 : timer.expiry > now ? timer.expiry - now : 1;
  return {to_timespec(timer.interval), to_timespec(left)};
}

}  // namespace

bool is_timer(const Channel& channel) { return channel.kind == &kTimer; }

std::uint64_t expiry_of(const Channel& channel) {
  return channel.kind == &kTimer ? timer_of(channel).expiry : Prospect::kNever;
}

bool repeats(const Channel& channel) { return channel.kind == &kTimer && timer_of(channel).interval != 0; }

void settle(Channel& channel, std::uint64_t now) {
  Timer& timer = timer_of(channel);
  if (timer.expiry > now) return;
  const std::uint64_t times = timer.interval == 0 ? 1 : 1 + (now - timer.expiry) / timer.interval;
  timer.expirations += times;
  timer.expiry = timer.interval == 0 ? Prospect::kNever : timer.expiry + times * timer.interval;
  notify_pollers(channel, EPOLLIN);
}

void expire(Channel& channel) {
  if (expiry_of(channel) == Prospect::kNever) return;
  std::uint64_t& now = self().clock;
  if (timer_of(channel).expiry > now) now = timer_of(channel).expiry;
  settle(channel, now);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;
using mazurka::DescriptorCall;

MAZURKA_REPLACEABLE int timerfd_create(int clock, int flags) noexcept {
  if (!makes_channels()) return reinterpret_cast<int (*)(int, int)>(next_function("timerfd_create"))(clock, flags);
  if ((flags & ~(TFD_CLOEXEC | TFD_NONBLOCK)) != 0) return fail_with(EINVAL);
  begin_making(MAZURKA_SITE);
  auto* const timer = static_cast<Timer*>(new_state(sizeof(Timer), MAZURKA_SITE));
  *timer = {clock, 0, Prospect::kNever, 0};
  static_assert(TFD_CLOEXEC == O_CLOEXEC && TFD_NONBLOCK == O_NONBLOCK);
  return static_cast<int>(or_errno(returned(add_channel(kTimer, timer, 0, O_RDWR | flags))));
}

MAZURKA_REPLACEABLE int timerfd_settime(int file, int flags, const itimerspec* setting, itimerspec* before) noexcept {
  if (!is_channel(file))
    return reinterpret_cast<int (*)(int, int, const itimerspec*, itimerspec*)>(next_function("timerfd_settime"))(
        file, flags, setting, before);
  MAZURKA_READS(setting, sizeof *setting);
  const itimerspec wanted = *setting;
  use_descriptors(DescriptorCall::Arm, file, MAZURKA_SITE);
  Channel* const channel = channel_of(file);
  if (channel == nullptr || channel->kind != &kTimer || !is_valid(wanted))
    return fail_with(static_cast<int>(-returned(channel == nullptr ? -EBADF : -EINVAL)));
  if ((flags & ~TFD_TIMER_ABSTIME) != 0) unsupported("timerfd_settime() with TFD_TIMER_CANCEL_ON_SET", MAZURKA_SITE);
  Timer& timer = timer_of(*channel);
  settle(*channel, self().clock);
  const itimerspec old = setting_of(timer);
  timer.expirations = 0;
  timer.interval = nanoseconds(wanted.it_interval);
  const bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
  if (nanoseconds(wanted.it_value) == 0)
    timer.expiry = Prospect::kNever;
  else
    timer.expiry = absolute ? since_start(timer.clock, &wanted.it_value) : self().clock + nanoseconds(wanted.it_value);
  release(channel->state);
  returned(0);
  MAZURKA_WRITES(before, sizeof *before);
  if (before != nullptr) *before = old;
  return 0;
}

MAZURKA_REPLACEABLE int timerfd_gettime(int file, itimerspec* setting) noexcept {
  if (!is_channel(file))
    return reinterpret_cast<int (*)(int, itimerspec*)>(next_function("timerfd_gettime"))(file, setting);
  use_descriptors(DescriptorCall::Control, file, MAZURKA_SITE);
  Channel* const channel = channel_of(file);
  if (channel == nullptr || channel->kind != &kTimer)
    return fail_with(static_cast<int>(-returned(channel == nullptr ? -EBADF : -EINVAL)));
  settle(*channel, self().clock);
  const itimerspec found = setting_of(timer_of(*channel));
  MAZURKA_WRITES(setting, sizeof *setting);
  *setting = found;
  return 0;
}

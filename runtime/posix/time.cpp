// Virtual time. Each thread has a clock of its own, which its sleeps, time-outs and clock reads advance, and which a
// join advances to the joined thread's. So a thread's time only depends on its causal past, and independent steps
// commute.
#include "runtime/posix/time.hpp"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/states.hpp"
#include "runtime/waiting/library_code.hpp"
#include "runtime/waiting/timed_code.hpp"
#include "runtime/waiting/timed_rounds.hpp"
#include "runtime/waiting/waits.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kEpoch = 1'767'225'600 * kSecond;  // the real-time clock at the start: 2026-01-01 00:00:00
constexpr std::uint64_t kUptime = 1000 * kSecond;          // the monotonic clocks at the start
constexpr std::uint64_t kTick = 1000;                      // duration of a clock read, so that polling loops end

std::uint64_t origin(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return kEpoch;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return kUptime;
  }
}

std::uint64_t from_timespec(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Standalone programs use real time.
bool is_real_time() { return worker.standalone && !scheduling.exploring; }

std::uint64_t now(clockid_t clock) {
  if (is_real_time()) {
    timespec time{};
    raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(&time));
    return from_timespec(time);
  }
  refuse_without_state("asking for the time", self().site);
  note_time();
  return origin(clock) + (self().clock += kTick);
}

timespec to_timespec(std::uint64_t time) {
  return {static_cast<time_t>(time / kSecond), static_cast<long>(time % kSecond)};
}

void sleep_for(std::uint64_t duration, std::uint64_t site) {
  if (is_real_time()) {
    const timespec time = to_timespec(duration);
    raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&time), 0);
    return;
  }
  self().clock += duration;
  perform(operation(OperationKind::Yield), site);
  after_step(self());
}

/// Returns the time to the C++ library, called from `caller`. If nothing else reads the clock, all waits may begin at
/// the same time, and afterwards the library only needs to know whether they timed out. So threads that wait repeatedly
/// come back to the same state.
std::int64_t tell_library(clockid_t clock, const void* caller) {
  if (!scheduling.exploring) return static_cast<std::int64_t>(now(clock));
  const protocol::TimeQuestion question = question_at(caller);
  if (question == protocol::TimeQuestion::Other || !may_stop_time()) return static_cast<std::int64_t>(now(clock));
  if (question == protocol::TimeQuestion::Deadline) self().passed = 0;  // a wait begins
  // A deadline may be rounded up by part of a nanosecond.
  const bool is_over = question == protocol::TimeQuestion::IsOver && self().passed != 0;
  return static_cast<std::int64_t>(origin(clock) + (is_over ? self().passed + kTick : 0));
}

}  // namespace

std::uint64_t since_start(clockid_t clock, const timespec* date) {
  if (date == nullptr || date->tv_sec < 0) return 0;
  const std::uint64_t time = from_timespec(*date);
  const std::uint64_t start = origin(clock);
  return time > start ? time - start : 0;
}

timespec read_clock(clockid_t clock) { return to_timespec(now(clock)); }
void sleep_for(const timespec& duration, std::uint64_t site) { sleep_for(from_timespec(duration), site); }

timespec deadline_after(clockid_t clock, const timespec& distance) {
  return to_timespec((may_stop_time() ? origin(clock) : now(clock)) + from_timespec(distance));
}

void reach(std::uint64_t date) {
  if (date > self().clock) self().clock = date;
}
void reach(clockid_t clock, const timespec* deadline) { reach(since_start(clock, deadline)); }

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int clock_gettime(clockid_t clock, timespec* result) {
  const timespec time = read_clock(clock);
  MAZURKA_WRITES(result, sizeof *result);
  *result = time;
  return 0;
}
// The C++ library's own clocks, interposed to know their caller. Weak: a program may link that library statically.
MAZURKA_REPLACEABLE std::int64_t _ZNSt6chrono3_V212steady_clock3nowEv() {
  return tell_library(CLOCK_MONOTONIC, __builtin_return_address(0));
}
MAZURKA_REPLACEABLE std::int64_t _ZNSt6chrono3_V212system_clock3nowEv() {
  return tell_library(CLOCK_REALTIME, __builtin_return_address(0));
}
MAZURKA_REPLACEABLE int timespec_get(timespec* result, int base) {
  const timespec time = read_clock(CLOCK_REALTIME);
  MAZURKA_WRITES(result, sizeof *result);
  *result = time;
  return base;
}
MAZURKA_REPLACEABLE int gettimeofday(timeval* result, void*) {
  const std::uint64_t time = now(CLOCK_REALTIME);
  MAZURKA_WRITES(result, sizeof *result);
  *result = {static_cast<time_t>(time / kSecond), static_cast<suseconds_t>(time % kSecond / 1000)};
  return 0;
}
MAZURKA_REPLACEABLE time_t time(time_t* result) {
  const auto seconds = static_cast<time_t>(now(CLOCK_REALTIME) / kSecond);
  MAZURKA_WRITES(result, sizeof *result);
  if (result != nullptr) *result = seconds;
  return seconds;
}
MAZURKA_REPLACEABLE clock_t clock() { return static_cast<clock_t>(now(CLOCK_PROCESS_CPUTIME_ID) / 1000); }
MAZURKA_REPLACEABLE clock_t times(tms* result) {
  const auto ticks = static_cast<clock_t>(now(CLOCK_PROCESS_CPUTIME_ID) / 10'000'000);
  MAZURKA_WRITES(result, sizeof *result);
  if (result != nullptr) *result = {ticks, 0, 0, 0};
  return ticks;
}

MAZURKA_REPLACEABLE int nanosleep(const timespec* duration, timespec*) {
  MAZURKA_READS(duration, sizeof *duration);
  sleep_for(*duration, MAZURKA_SITE);
  return 0;
}
MAZURKA_REPLACEABLE int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec*) {
  MAZURKA_READS(time, sizeof *time);
  if ((flags & TIMER_ABSTIME) != 0) {
    reach(clock, time);
    perform(operation(mazurka::OperationKind::Yield), MAZURKA_SITE);
  } else {
    sleep_for(*time, MAZURKA_SITE);
  }
  return 0;
}
MAZURKA_REPLACEABLE int usleep(useconds_t duration) {
  sleep_for(duration * 1000ULL, MAZURKA_SITE);
  return 0;
}
MAZURKA_REPLACEABLE unsigned sleep(unsigned seconds) {
  sleep_for(seconds * kSecond, MAZURKA_SITE);
  return 0;
}
MAZURKA_REPLACEABLE int sched_yield() {
  const std::uint64_t site = MAZURKA_SITE;
  if (scheduling.knows_bounded_spins && in_bounded_spin(site)) [[unlikely]]
    return 0;
  perform(operation(mazurka::OperationKind::Yield), site);
  after_step(self());
  return 0;
}
MAZURKA_DEFINE_OWN_CALL(sched_yield);

#include "runtime/posix/futex.hpp"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <time.h>

#include "runtime/detector/atomic_checks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/signal_delivery.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/timed_rounds.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

Operation on_word(OperationKind kind, const void* word, std::uint8_t flags = 0) {
  Operation result = operation(kind, word, flags);
  result.size = 4;
  return result;
}

}  // namespace

long wait_for_futex(std::uint32_t* word, std::uint32_t expected, clockid_t clock, const timespec* deadline,
                    std::uint64_t site) {
  Thread& thread = self();
  thread.expected[0] = expected;
  const std::uint64_t date = since_start(clock, deadline);
  thread.passed = 0;
  const bool may_leave = deadline != nullptr && may_time_out(thread, on_word(FutexWait, word), expected, 0, date, site);
  perform(on_word(FutexWait, word), site);
  if (detector.guarding) guard(word, 4, Touch::AtomicRead, place_of(site));
  observe(*word, expected);
  if (thread.failed) {
    after_step(thread);
    return fail_with(EAGAIN);
  }
  if (scheduling.polls_signals && thread.polling_signals == 0) [[unlikely]]
    refuse_signal_in_wait(site);
  thread.queue = Queue::Futex;
  thread.woken = false;
  thread.timed = may_leave;
  thread.without_time_out = deadline != nullptr && !may_leave;
  Operation resume = on_word(FutexResume, word);
  resume.set_waiter(thread.index);
  perform(resume, site);
  const bool gave_up = thread.alternative == 1;
  thread.queue = Queue::None;
  thread.timed = thread.without_time_out = false;
  if (!gave_up) return 0;
  reach(date);
  thread.passed = date;
  after_step(thread);
  return fail_with(ETIMEDOUT);
}

namespace {

/// The time of a plain FUTEX_WAIT is relative; all others are absolute.
long wait_for(std::uint32_t* word, std::uint32_t expected, clockid_t clock, const timespec* distance,
              std::uint64_t site) {
  if (distance == nullptr) return wait_for_futex(word, expected, clock, nullptr, site);
  const timespec deadline = deadline_after(clock, *distance);
  return wait_for_futex(word, expected, clock, &deadline, site);
}

std::uint32_t waiters(const std::uint32_t* word) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    const Thread& thread = threads.all[i];
    if (thread.life == Life::Live && thread.queue == Queue::Futex && !thread.woken &&
        thread.pending.object == reinterpret_cast<std::uint64_t>(word))
      ++count;
  }
  return count;
}

long wake_all(const std::uint32_t* word, std::uint64_t site) {
  perform(on_word(FutexWake, word, kAll), site);
  const std::uint32_t count = waiters(word);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    Thread& thread = threads.all[i];
    if (thread.life == Life::Live && thread.queue == Queue::Futex &&
        thread.pending.object == reinterpret_cast<std::uint64_t>(word))
      thread.woken = true;
  }
  observe(count);
  return count;
}

/// Wakes several waiters, but not all: one after the other, each a choice. Like the kernel, at least one.
long wake(const std::uint32_t* word, int count, std::uint64_t site) {
  if (count == INT_MAX) return wake_all(word, site);
  long woken = 0;
  for (int i = 0; i < (count < 1 ? 1 : count); ++i) {
    perform(on_word(FutexWake, word), site);
    const std::uint32_t chosen = self().alternative;
    observe(chosen);
    if (chosen == 0) break;
    threads.all[chosen - 1].woken = true;
    ++woken;
  }
  return woken;
}

const char* name_of(long command) {
  switch (command) {
    case FUTEX_FD: return "FUTEX_FD";
    case FUTEX_REQUEUE: return "FUTEX_REQUEUE";
    case FUTEX_CMP_REQUEUE: return "FUTEX_CMP_REQUEUE";
    case FUTEX_WAKE_OP: return "FUTEX_WAKE_OP";
    case FUTEX_LOCK_PI: return "FUTEX_LOCK_PI";
    case FUTEX_LOCK_PI2: return "FUTEX_LOCK_PI2";
    case FUTEX_UNLOCK_PI: return "FUTEX_UNLOCK_PI";
    case FUTEX_TRYLOCK_PI: return "FUTEX_TRYLOCK_PI";
    case FUTEX_WAIT_REQUEUE_PI: return "FUTEX_WAIT_REQUEUE_PI";
    case FUTEX_CMP_REQUEUE_PI: return "FUTEX_CMP_REQUEUE_PI";
    default: return "an unknown futex operation";
  }
}

/// Waiters have no masks here, so a mask must match every waiter. A zero mask is an error.
bool meets_all(std::uint32_t mask, const char* name, std::uint64_t site) {
  if (mask == 0) return false;
  if (mask == FUTEX_BITSET_MATCH_ANY) return true;
  char text[96];
  Text(text, sizeof text) << name << " with a mask other than FUTEX_BITSET_MATCH_ANY";
  unsupported(text, site);
}

}  // namespace

long futex(const long* arguments, std::uint64_t site) {
  auto* word = reinterpret_cast<std::uint32_t*>(arguments[0]);
  const long command = arguments[1] & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
  const auto value = static_cast<std::uint32_t>(arguments[2]);
  const auto* time = reinterpret_cast<const timespec*>(arguments[3]);
  const auto mask = static_cast<std::uint32_t>(arguments[5]);
  const clockid_t clock = (arguments[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (command) {
    case FUTEX_WAIT: return wait_for(word, value, clock, time, site);
    case FUTEX_WAIT_BITSET:
      if (!meets_all(mask, "FUTEX_WAIT_BITSET", site)) return fail_with(EINVAL);
      return wait_for_futex(word, value, clock, time, site);
    case FUTEX_WAKE: return wake(word, static_cast<int>(value), site);
    case FUTEX_WAKE_BITSET:
      if (!meets_all(mask, "FUTEX_WAKE_BITSET", site)) return fail_with(EINVAL);
      return wake(word, static_cast<int>(value), site);
    default: unsupported(name_of(command), site);
  }
}

}  // namespace mazurka::runtime

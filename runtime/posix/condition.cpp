// Condition variables. A signal by itself orders nothing: the mutex does.
#include "runtime/posix/condition.hpp"

#include <errno.h>
#include <pthread.h>

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/object_use.hpp"
#include "runtime/export.hpp"
#include "runtime/posix/mutex.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/posix/signal_delivery.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/timed_rounds.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using enum OperationKind;

int initialise_condition(pthread_cond_t* condition, clockid_t clock, std::uint64_t site) {
  announce_initialisation(condition, site);
  write_object(condition, site);
  *condition = pthread_cond_t{};
  view<Condition>(condition).clock = clock;
  return 0;
}

int destroy_condition(pthread_cond_t* condition, std::uint64_t site) {
  announce_destruction(condition, site);
  object_used(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  if (waits_for(condition))
    fail(FailureKind::DestroyInUse, {reinterpret_cast<std::uint64_t>(condition), ObjectKind::ConditionVariable}, site);
  use_object(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  write_object(condition, site);
  view<Condition>(condition).mark = kDestroyed;
  return 0;
}

int wait_condition(pthread_cond_t* condition, pthread_mutex_t* object, clockid_t clock, const timespec* deadline,
                   std::uint64_t site) {
  if (!is_valid(deadline)) return EINVAL;
  Thread& thread = self();
  auto& mutex = view<Mutex>(object);
  use_object(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  use_object(object, mutex.mark, ObjectKind::Mutex, site);
  if (!detector.guarding)
    if (const int error = may_unlock(object, site); error != 0) return error;
  Operation wait = operation(ConditionWait, condition);
  wait.set_released_mutex(reinterpret_cast<std::uint64_t>(object));
  thread.passed = 0;
  const std::uint64_t date = since_start(clock, deadline);
  const bool is_timed = deadline != nullptr || worker.channel->settings.spurious_wakeups;
  const bool may_leave =
      is_timed && may_time_out(thread, wait, wait.released_mutex(), wait.released_mutex(), date, site);
  perform(wait, site);
  if (scheduling.polls_signals) [[unlikely]]
    refuse_signal_in_wait(site);
  object_used(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  object_used(object, mutex.mark, ObjectKind::Mutex, site);
  if (detector.guarding)
    if (const int error = may_unlock(object, site); error != 0) return observe(kNotHeld), error;
  const std::uint32_t count = mutex.count;
  give_mutex_back(object);
  thread.queue = Queue::Condition;
  thread.woken = false;
  thread.timed = may_leave;
  thread.without_time_out = is_timed && !may_leave;
  Operation again = operation(MutexLock, object, kReacquire);
  again.set_awaited_condition(reinterpret_cast<std::uint64_t>(condition));
  again.set_waiter(thread.index);
  bool gave_up = false;
  for (;;) {
    perform(again, site);
    if (thread.alternative == 0) break;
    object_used(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
    thread.woken = true;
    gave_up = true;
  }
  object_used(object, mutex.mark, ObjectKind::Mutex, site);
  get_mutex(object, count);
  thread.queue = Queue::None;
  thread.timed = thread.without_time_out = false;
  if (!gave_up) return 0;
  const int result = deadline == nullptr ? 0 : ETIMEDOUT;
  if (deadline != nullptr) {
    reach(date);
    thread.passed = date;
  }
  after_step(thread, static_cast<std::uint64_t>(result));
  return result;
}

int signal_condition(pthread_cond_t* condition, std::uint64_t site) {
  use_object(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  perform(operation(ConditionSignal, condition), site);
  object_used(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  if (self().alternative != 0) threads.all[self().alternative - 1].woken = true;
  observe(self().alternative);
  return 0;
}

int broadcast_condition(pthread_cond_t* condition, std::uint64_t site) {
  use_object(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  perform(operation(ConditionBroadcast, condition), site);
  object_used(condition, view<Condition>(condition).mark, ObjectKind::ConditionVariable, site);
  const auto address = reinterpret_cast<std::uint64_t>(condition);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    Thread& waiter = threads.all[i];
    if (waiter.life == Life::Live && waiter.queue == Queue::Condition && waiter.pending.awaited_condition() == address)
      waiter.woken = true;
  }
  return 0;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  clockid_t clock = CLOCK_REALTIME;
  if (attributes != nullptr) pthread_condattr_getclock(attributes, &clock);
  return initialise_condition(condition, clock, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_cond_destroy(pthread_cond_t* condition) {
  return destroy_condition(condition, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_condition(condition, mutex, CLOCK_REALTIME, nullptr, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                               const timespec* deadline) {
  return wait_condition(condition, mutex, view<Condition>(condition).clock, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                               const timespec* deadline) {
  return wait_condition(condition, mutex, clock, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_cond_signal(pthread_cond_t* condition) {
  return signal_condition(condition, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_cond_broadcast(pthread_cond_t* condition) {
  return broadcast_condition(condition, MAZURKA_SITE);
}

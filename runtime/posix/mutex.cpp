// Mutexes and spin locks.
#include "runtime/posix/mutex.hpp"

#include <errno.h>
#include <pthread.h>

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/object_use.hpp"
#include "runtime/export.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/back_offs.hpp"
#include "runtime/waiting/locked_rounds.hpp"
#include "runtime/waiting/timed_rounds.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using enum OperationKind;

namespace {

int kind_of(const Mutex& mutex) { return mutex.kind & kKindMask; }

/// Converts an owner field (index + 1) to a process.
ProcessIndex holder_of(std::uint32_t owner) { return owner == 0 ? kNoProcess : owner - 1; }

[[noreturn]] void misuse(FailureKind kind, const pthread_mutex_t* object, std::uint64_t site) {
  fail(kind, {reinterpret_cast<std::uint64_t>(object), ObjectKind::Mutex, holder_of(view<const Mutex>(object).owner)},
       site);
}

[[noreturn]] void misuse(FailureKind kind, const int* lock, std::uint64_t site) {
  fail(kind, {reinterpret_cast<std::uint64_t>(lock), ObjectKind::SpinLock, holder_of(view<const SpinLock>(lock).owner)},
       site);
}

/// Whether the owner locks again; `result` is then the outcome.
bool locks_again(pthread_mutex_t* object, std::uint64_t site, bool may_fail, int& result) {
  auto& mutex = view<Mutex>(object);
  if (mutex.owner != self().index + 1) return false;
  switch (kind_of(mutex)) {
    case PTHREAD_MUTEX_RECURSIVE:
      ++mutex.count;
      result = 0;
      return true;
    case PTHREAD_MUTEX_ERRORCHECK: result = may_fail ? EBUSY : EDEADLK; return true;
    default:
      result = EBUSY;
      if (!may_fail) misuse(FailureKind::DoubleLock, object, site);
      return true;
  }
}

}  // namespace

void get_mutex(pthread_mutex_t* object, std::uint32_t count) {
  auto& mutex = view<Mutex>(object);
  acquire(object);
  mutex.owner = self().index + 1;
  mutex.count = count;
  if (scheduling.keeps_states) [[unlikely]]
    take_returned(mutex.returned);
}

void give_mutex_back(pthread_mutex_t* object) {
  auto& mutex = view<Mutex>(object);
  if (scheduling.keeps_states) [[unlikely]]
    return_freed(mutex.returned);
  release(object);
  mutex.owner = 0;
  mutex.count = 0;
}

int lock_mutex(pthread_mutex_t* object, std::uint64_t site) {
  auto& mutex = view<Mutex>(object);
  int result = 0;
  use_object(object, mutex.mark, ObjectKind::Mutex, site);
  if (locks_again(object, site, false, result)) return result;
  const auto address = reinterpret_cast<std::uint64_t>(object);
  const bool stops = stops_before_lock(self(), address, site) || stops_after_back_off(self(), address, site);
  perform(operation(stops ? Spin : MutexLock, object), site);
  object_used(object, mutex.mark, ObjectKind::Mutex, site);
  get_mutex(object, 1);
  arrive_with_lock(self());
  after_step(self());
  return 0;
}

int try_lock_mutex(pthread_mutex_t* object, int failure, std::uint64_t site) {
  auto& mutex = view<Mutex>(object);
  int result = 0;
  use_object(object, mutex.mark, ObjectKind::Mutex, site);
  if (locks_again(object, site, true, result)) {
    // With a time-out it is a lock, which an error-checking mutex refuses at once.
    if (failure == ETIMEDOUT && kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    return result == EBUSY ? failure : result;
  }
  note_try(site);
  perform_access(operation(MutexTryLock, object), 0, site);
  object_used(object, mutex.mark, ObjectKind::Mutex, site);
  observe(self().failed ? 0 : 1);
  if (self().failed) return failure;
  get_mutex(object, 1);
  return 0;
}

/// Returns the error of an unlock by the running thread, 0 if it holds the mutex. A normal mutex fails the execution
/// instead.
int may_unlock(pthread_mutex_t* object, std::uint64_t site) {
  auto& mutex = view<Mutex>(object);
  if (mutex.owner == self().index + 1) return 0;
  if (kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE || kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
  misuse(FailureKind::ForeignUnlock, object, site);
}

int unlock_mutex(pthread_mutex_t* object, std::uint64_t site) {
  auto& mutex = view<Mutex>(object);
  use_object(object, mutex.mark, ObjectKind::Mutex, site);
  // Before the step: no other thread can make this one the owner, so the order of steps does not matter.
  if (const int error = may_unlock(object, site); error != 0) return error;
  if (mutex.owner == self().index + 1 && mutex.count > 1) {
    --mutex.count;
    return 0;
  }
  perform(operation(MutexUnlock, object), site);
  object_used(object, mutex.mark, ObjectKind::Mutex, site);
  // But if lifetimes are scheduling points, another thread may have re-initialised the mutex.
  if (detector.guarding)
    if (const int error = may_unlock(object, site); error != 0) return observe(kNotHeld), error;
  give_mutex_back(object);
  after_step(self());
  return 0;
}

int initialise_mutex(pthread_mutex_t* object, int kind, std::uint64_t site) {
  announce_initialisation(object, site);
  write_object(object, site);
  *object = pthread_mutex_t{};
  view<Mutex>(object).kind = kind;
  return 0;
}

int destroy_mutex(pthread_mutex_t* object, std::uint64_t site) {
  auto& mutex = view<Mutex>(object);
  announce_destruction(object, site);
  use_object(object, mutex.mark, ObjectKind::Mutex, site);
  object_used(object, mutex.mark, ObjectKind::Mutex, site);
  if (mutex.owner != 0 || waits_for(object)) misuse(FailureKind::DestroyInUse, object, site);
  write_object(object, site);
  if (scheduling.keeps_states) [[unlikely]]
    take_all_returned(mutex.returned);
  mutex = Mutex{};
  mutex.mark = kDestroyed;
  return 0;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int pthread_mutex_init(pthread_mutex_t* object, const pthread_mutexattr_t* attributes) {
  int kind = PTHREAD_MUTEX_NORMAL;
  int robust = PTHREAD_MUTEX_STALLED;
  // Priorities, and so priority inheritance, have no effect here: every order of threads is explored.
  if (attributes != nullptr) {
    pthread_mutexattr_gettype(attributes, &kind);
    pthread_mutexattr_getrobust(attributes, &robust);
  }
  if (robust == PTHREAD_MUTEX_ROBUST) unsupported("a robust mutex", MAZURKA_SITE);
  return initialise_mutex(object, kind, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_mutex_destroy(pthread_mutex_t* object) { return destroy_mutex(object, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int pthread_mutex_lock(pthread_mutex_t* object) { return lock_mutex(object, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int pthread_mutex_trylock(pthread_mutex_t* object) {
  return try_lock_mutex(object, EBUSY, MAZURKA_SITE);
}
// A timed lock that is scheduled while the mutex is held times out; waiting longer is another schedule.
MAZURKA_REPLACEABLE int pthread_mutex_timedlock(pthread_mutex_t* object, const timespec* deadline) {
  const int result = try_lock_mutex(object, ETIMEDOUT, MAZURKA_SITE);
  if (result == ETIMEDOUT) reach(CLOCK_REALTIME, deadline);
  return result;
}
MAZURKA_REPLACEABLE int pthread_mutex_clocklock(pthread_mutex_t* object, clockid_t clock, const timespec* deadline) {
  const int result = try_lock_mutex(object, ETIMEDOUT, MAZURKA_SITE);
  if (result == ETIMEDOUT) reach(clock, deadline);
  return result;
}
MAZURKA_REPLACEABLE int pthread_mutex_unlock(pthread_mutex_t* object) { return unlock_mutex(object, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int pthread_mutex_consistent(pthread_mutex_t*) { return 0; }

MAZURKA_REPLACEABLE int pthread_spin_init(pthread_spinlock_t* lock, int) {
  announce_initialisation(const_cast<int*>(lock), MAZURKA_SITE);
  write_object(const_cast<int*>(lock), MAZURKA_SITE);
  *const_cast<int*>(lock) = 0;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_spin_destroy(pthread_spinlock_t* object) {
  auto* lock = const_cast<int*>(object);
  announce_destruction(lock, MAZURKA_SITE);
  object_used(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  if (*lock != 0 || waits_for(lock)) misuse(FailureKind::DestroyInUse, lock, MAZURKA_SITE);
  write_object(lock, MAZURKA_SITE);
  view<SpinLock>(lock).owner = kDestroyed;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_spin_lock(pthread_spinlock_t* object) {
  auto* lock = const_cast<int*>(object);
  use_object(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  if (view<SpinLock>(lock).owner == self().index + 1) misuse(FailureKind::DoubleLock, lock, MAZURKA_SITE);
  perform(operation(MutexLock, lock), MAZURKA_SITE);
  object_used(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  acquire(lock);
  view<SpinLock>(lock).owner = self().index + 1;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_spin_trylock(pthread_spinlock_t* object) {
  auto* lock = const_cast<int*>(object);
  use_object(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  perform_access(operation(MutexTryLock, lock), 0, MAZURKA_SITE);
  object_used(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  observe(self().failed ? 0 : 1);
  if (self().failed) return EBUSY;
  acquire(lock);
  view<SpinLock>(lock).owner = self().index + 1;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_spin_unlock(pthread_spinlock_t* object) {
  auto* lock = const_cast<int*>(object);
  use_object(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  const auto must_hold = [lock](std::uint64_t site) {
    if (view<SpinLock>(lock).owner != self().index + 1) misuse(FailureKind::ForeignUnlock, lock, site);
  };
  if (!detector.guarding) must_hold(MAZURKA_SITE);
  perform(operation(MutexUnlock, lock), MAZURKA_SITE);
  object_used(lock, view<SpinLock>(lock).owner, ObjectKind::SpinLock, MAZURKA_SITE);
  if (detector.guarding) must_hold(MAZURKA_SITE);
  release(lock);
  view<SpinLock>(lock).owner = 0;
  return 0;
}

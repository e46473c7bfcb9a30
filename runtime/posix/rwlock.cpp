// Reader-writer locks without preference for readers or writers: the scheduler chooses who gets the lock.
//
// Readers release to a clock of their own, which only the next writer acquires: readers do not order each other.
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
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

[[noreturn]] void misuse(FailureKind kind, const pthread_rwlock_t* object, std::uint64_t site) {
  const std::uint32_t writer = view<const RwLock>(object).writer;
  fail(kind,
       {reinterpret_cast<std::uint64_t>(object), ObjectKind::ReadWriteLock, writer == 0 ? kNoProcess : writer - 1},
       site);
}

constexpr unsigned kByWriters = 0;
constexpr unsigned kByReaders = 1;

void acquire_lock(const pthread_rwlock_t* object, bool write) {
  acquire(object, kByWriters);
  if (write) acquire(object, kByReaders);
}

void add_reader(RwLock& rwlock) {
  ++rwlock.readers;
  const auto me = static_cast<std::uint16_t>(self().index + 1);
  if (rwlock.holders[RwLock::kHolders - 1] != 0) {
    ++rwlock.unnamed;
    return;
  }
  std::uint32_t i = RwLock::kHolders - 1;
  for (; i > 0 && (rwlock.holders[i - 1] == 0 || rwlock.holders[i - 1] > me); --i)
    rwlock.holders[i] = rwlock.holders[i - 1];
  rwlock.holders[i] = me;
}

/// The running thread's index in `holders`, kHolders if it is not there.
std::uint32_t place_among_readers(const RwLock& rwlock) {
  std::uint32_t i = 0;
  while (i < RwLock::kHolders && rwlock.holders[i] != self().index + 1) ++i;
  return i;
}

void remove_reader(RwLock& rwlock) {
  --rwlock.readers;
  std::uint32_t i = place_among_readers(rwlock);
  if (i == RwLock::kHolders) {
    --rwlock.unnamed;
    return;
  }
  for (; i + 1 < RwLock::kHolders; ++i) rwlock.holders[i] = rwlock.holders[i + 1];
  rwlock.holders[RwLock::kHolders - 1] = 0;
}

/// Makes the running thread the writer or a reader.
void take(pthread_rwlock_t* object, bool write) {
  acquire_lock(object, write);
  if (write)
    view<RwLock>(object).writer = self().index + 1;
  else
    add_reader(view<RwLock>(object));
}

/// If a lock prefers writers, readers wait for a writer that waits. But waiting is not an event, so the orders in which
/// a writer and a reader come to wait would not be explored.
void refuse_preference(int kind, std::uint64_t site) {
  if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) unsupported("a read-write lock that prefers writers", site);
}
/// The same for a lock with a static initialiser.
void refuse_preference(const pthread_rwlock_t* object, std::uint64_t site) {
  refuse_preference(static_cast<int>(object->__data.__flags), site);
}

int lock(pthread_rwlock_t* object, bool write, std::uint64_t site) {
  refuse_preference(object, site);
  auto& rwlock = view<RwLock>(object);
  use_object(object, rwlock.mark, ObjectKind::ReadWriteLock, site);
  if (rwlock.writer == self().index + 1) return EDEADLK;
  perform(operation(write ? WriteLock : ReadLock, object), site);
  object_used(object, rwlock.mark, ObjectKind::ReadWriteLock, site);
  take(object, write);
  return 0;
}

int try_lock(pthread_rwlock_t* object, bool write, int failure, std::uint64_t site) {
  auto& rwlock = view<RwLock>(object);
  use_object(object, rwlock.mark, ObjectKind::ReadWriteLock, site);
  perform_access(operation(write ? TryWriteLock : TryReadLock, object), 0, site);
  object_used(object, rwlock.mark, ObjectKind::ReadWriteLock, site);
  observe(self().failed ? 0 : 1);
  if (self().failed) return failure;
  refuse_preference(object, site);  // not earlier: a trial would take it for an access of the program
  take(object, write);
  return 0;
}

int timed_lock(pthread_rwlock_t* object, bool write, clockid_t clock, const timespec* deadline, std::uint64_t site) {
  if (!is_valid(deadline)) return EINVAL;
  const int result = try_lock(object, write, ETIMEDOUT, site);
  if (result != ETIMEDOUT) return result;
  if (!scheduling.in_trial && view<RwLock>(object).writer == self().index + 1) return EDEADLK;
  reach(clock, deadline);
  return result;
}

int unlock(pthread_rwlock_t* object, std::uint64_t site) {
  auto& rwlock = view<RwLock>(object);
  use_object(object, rwlock.mark, ObjectKind::ReadWriteLock, site);
  // Checked before the step, so the result may only depend on the thread's own past.
  const auto must_be_held = [&] {
    if (rwlock.writer == self().index + 1 || rwlock.unnamed != 0) return;
    if (place_among_readers(rwlock) == RwLock::kHolders) misuse(FailureKind::ForeignUnlock, object, site);
  };
  if (!detector.guarding) must_be_held();
  const bool write = rwlock.writer == self().index + 1;
  perform(operation(write ? WriteUnlock : ReadUnlock, object), site);
  object_used(object, rwlock.mark, ObjectKind::ReadWriteLock, site);
  // If lifetimes are scheduling points, another thread may have re-initialised the lock: check after the step.
  if (detector.guarding) must_be_held();
  release(object, write ? kByWriters : kByReaders);
  if (write)
    rwlock.writer = 0;
  else
    remove_reader(rwlock);
  return 0;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int pthread_rwlock_init(pthread_rwlock_t* object, const pthread_rwlockattr_t* attributes) {
  int kind = PTHREAD_RWLOCK_DEFAULT_NP;
  if (attributes != nullptr) pthread_rwlockattr_getkind_np(attributes, &kind);
  refuse_preference(kind, MAZURKA_SITE);
  announce_initialisation(object, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  *object = pthread_rwlock_t{};
  return 0;
}
MAZURKA_REPLACEABLE int pthread_rwlock_destroy(pthread_rwlock_t* object) {
  auto& rwlock = view<RwLock>(object);
  announce_destruction(object, MAZURKA_SITE);
  use_object(object, rwlock.mark, ObjectKind::ReadWriteLock, MAZURKA_SITE);
  object_used(object, rwlock.mark, ObjectKind::ReadWriteLock, MAZURKA_SITE);
  if (rwlock.readers != 0 || rwlock.writer != 0 || waits_for(object))
    misuse(FailureKind::DestroyInUse, object, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  rwlock.mark = kDestroyed;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_rwlock_rdlock(pthread_rwlock_t* object) { return lock(object, false, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int pthread_rwlock_wrlock(pthread_rwlock_t* object) { return lock(object, true, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int pthread_rwlock_tryrdlock(pthread_rwlock_t* object) {
  return try_lock(object, false, EBUSY, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_rwlock_trywrlock(pthread_rwlock_t* object) {
  return try_lock(object, true, EBUSY, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_rwlock_timedrdlock(pthread_rwlock_t* object, const timespec* deadline) {
  return timed_lock(object, false, CLOCK_REALTIME, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_rwlock_timedwrlock(pthread_rwlock_t* object, const timespec* deadline) {
  return timed_lock(object, true, CLOCK_REALTIME, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_rwlock_clockrdlock(pthread_rwlock_t* object, clockid_t clock,
                                                   const timespec* deadline) {
  return timed_lock(object, false, clock, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_rwlock_clockwrlock(pthread_rwlock_t* object, clockid_t clock,
                                                   const timespec* deadline) {
  return timed_lock(object, true, clock, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_rwlock_unlock(pthread_rwlock_t* object) { return unlock(object, MAZURKA_SITE); }

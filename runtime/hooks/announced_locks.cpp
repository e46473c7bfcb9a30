// Locks that a program implements itself and announces: __tsan_mutex_… and AnnotateRWLock…. The atomics and system
// calls they consist of remain ordinary steps. In addition, an announced lock orders: an unlock happens before every
// later lock, a reader's unlock only before later writers. Inside the lock's own operations races are intended.
//
// Announcements are scheduling points like annotate_acquire() and annotate_release(), for the same reason. If the lock
// is correct, its own steps come in the same order, and there are no additional executions.
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/annotations.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

// The flags of <sanitizer/tsan_interface.h>.
constexpr unsigned kLinkerInit = 1U << 0;
constexpr unsigned kReadLock = 1U << 3;
constexpr unsigned kTryLockFailed = 1U << 5;
constexpr unsigned kRecursiveLock = 1U << 6;
constexpr unsigned kRecursiveUnlock = 1U << 7;

/// A lock held by a writer, with its recursion depth.
struct Held {
  const void* lock;
  std::uint32_t thread;
  std::uint32_t depth;
};
constexpr std::uint32_t kMostHeld = 256;
// In the program's memory, so that the snapshot restores it.
std::uint32_t held_count;
Held all_held[kMostHeld];

Held* find_held(const void* lock) {
  for (std::uint32_t i = 0; i < held_count; ++i)
    if (all_held[i].lock == lock && all_held[i].thread == self().index) return &all_held[i];
  return nullptr;
}

void begin_internals() {
  begin_ignoring(self().ignored_reads);
  begin_ignoring(self().ignored_writes);
}
void end_internals() {
  end_ignoring(self().ignored_reads);
  end_ignoring(self().ignored_writes);
}

void read_locked(const void* lock, std::uint64_t site) { annotate_acquire(lock, site); }
void read_unlocked(const void* lock, std::uint64_t site) {
  if (!detector.checking) return;
  perform(operation(OperationKind::AnnotateRelease, lock), site);
  release(lock, kAnnotatedByReaders);
}

/// Of recursive locks only the outermost lock and unlock order.
void write_locked(const void* lock, std::uint32_t times, std::uint64_t site) {
  if (!detector.checking) return;
  if (Held* held = find_held(lock)) {
    held->depth += times;
    return;
  }
  annotate_acquire(lock, site);
  acquire(lock, kAnnotatedByReaders);
  if (held_count == kMostHeld) unsupported("holding more than 256 announced locks", site);
  all_held[held_count++] = {lock, self().index, times};
}

/// Returns how many recursive locks were released.
std::uint32_t write_unlocked(const void* lock, bool wholly, std::uint64_t site) {
  if (!detector.checking) return 1;
  Held* held = find_held(lock);
  const std::uint32_t given_up = held == nullptr || !wholly ? 1 : held->depth;
  if (held != nullptr && held->depth > given_up) {
    held->depth -= given_up;
    return given_up;
  }
  annotate_release(lock, site);
  if ((held = find_held(lock)) != nullptr) *held = all_held[--held_count];
  return given_up;
}

/// A lock is created or destroyed at the address.
void forget_lock(const void* lock) {
  if (!detector.checking) return;
  forget_clock(lock, kAnnotated);
  forget_clock(lock, kAnnotatedByReaders);
  if (Held* held = find_held(lock)) *held = all_held[--held_count];
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT void __tsan_mutex_create(void* lock, unsigned) { forget_lock(lock); }
MAZURKA_EXPORT void __tsan_mutex_destroy(void* lock, unsigned flags) {
  if ((flags & kLinkerInit) == 0) forget_lock(lock);
}
MAZURKA_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) { begin_internals(); }
MAZURKA_EXPORT void __tsan_mutex_post_lock(void* lock, unsigned flags, int recursion) {
  end_internals();
  if ((flags & kTryLockFailed) != 0) return;
  if ((flags & kReadLock) != 0) return read_locked(lock, MAZURKA_SITE);
  const bool several = (flags & kRecursiveLock) != 0 && recursion > 1;
  write_locked(lock, several ? static_cast<std::uint32_t>(recursion) : 1, MAZURKA_SITE);
}
MAZURKA_EXPORT int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  std::uint32_t given_up = 0;
  if ((flags & kReadLock) != 0)
    read_unlocked(lock, MAZURKA_SITE);
  else
    given_up = write_unlocked(lock, (flags & kRecursiveUnlock) != 0, MAZURKA_SITE);
  begin_internals();
  return static_cast<int>(given_up);
}
MAZURKA_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) { end_internals(); }
MAZURKA_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) { begin_internals(); }
MAZURKA_EXPORT void __tsan_mutex_post_signal(void*, unsigned) { end_internals(); }
// The lock's code calls code that is not its own.
MAZURKA_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) { end_internals(); }
MAZURKA_EXPORT void __tsan_mutex_post_divert(void*, unsigned) { begin_internals(); }
MAZURKA_EXPORT void __tsan_check_no_mutexes_held() {}

MAZURKA_REPLACEABLE void AnnotateRWLockCreate(const char*, int, const void* lock) { forget_lock(lock); }
MAZURKA_REPLACEABLE void AnnotateRWLockCreateStatic(const char*, int, const void*) {}
MAZURKA_REPLACEABLE void AnnotateRWLockDestroy(const char*, int, const void* lock) { forget_lock(lock); }
MAZURKA_REPLACEABLE void AnnotateRWLockAcquired(const char*, int, const void* lock, long is_writer) {
  if (is_writer != 0)
    write_locked(lock, 1, MAZURKA_SITE);
  else
    read_locked(lock, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void AnnotateRWLockReleased(const char*, int, const void* lock, long is_writer) {
  if (is_writer != 0)
    write_unlocked(lock, false, MAZURKA_SITE);
  else
    read_unlocked(lock, MAZURKA_SITE);
}

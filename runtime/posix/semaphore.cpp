// Semaphores, unnamed and named. Names are private to the program: there is no other process to share them with.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/object_use.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/posix/c_library.hpp"
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

/// In the program's memory.
struct Named {
  Named* next;
  sem_t semaphore;
  bool unlinked;
  char name[256];
};
Named* named;

// Not the C library's functions: these may be scheduling points, and this runs inside a step.
std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

bool equal(const char* a, const char* b) {
  for (; *a == *b; ++a, ++b)
    if (*a == 0) return true;
  return false;
}

Named* find(const char* name) {
  for (Named* entry = named; entry != nullptr; entry = entry->next)
    if (!entry->unlinked && equal(entry->name, name)) return entry;
  return nullptr;
}

/// Whoever opens a semaphore first creates it, so using the table of names is a scheduling point like a
/// read-modify-write.
void use_names(std::uint64_t site) {
  Operation change = operation(ReadModifyWrite, &named);
  change.size = sizeof(void*);
  perform(change, site);
}

int try_wait(sem_t* object, int failure, std::uint64_t site) {
  use_object(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, site);
  perform_access(operation(SemaphoreTryWait, object), 0, site);
  object_used(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, site);
  observe(self().failed ? 0 : 1);
  if (self().failed) return fail_with(failure);
  acquire(object);
  --view<Semaphore>(object).value;
  return 0;
}

int timed_wait(sem_t* object, clockid_t clock, const timespec* deadline, std::uint64_t site) {
  if (!is_valid(deadline)) return fail_with(EINVAL);
  const int result = try_wait(object, ETIMEDOUT, site);
  if (result != 0) reach(clock, deadline);
  return result;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int sem_init(sem_t* object, int, unsigned value) {
  if (value > SEM_VALUE_MAX) return fail_with(EINVAL);
  announce_initialisation(object, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  *object = sem_t{};
  view<Semaphore>(object).value = value;
  return 0;
}
MAZURKA_REPLACEABLE int sem_destroy(sem_t* object) {
  announce_destruction(object, MAZURKA_SITE);
  object_used(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  if (waits_for(object))
    fail(FailureKind::DestroyInUse, {reinterpret_cast<std::uint64_t>(object), ObjectKind::Semaphore}, MAZURKA_SITE);
  use_object(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  view<Semaphore>(object).mark = kDestroyed;
  return 0;
}
MAZURKA_REPLACEABLE int sem_wait(sem_t* object) {
  use_object(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  perform(operation(SemaphoreWait, object), MAZURKA_SITE);
  object_used(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  acquire(object);
  --view<Semaphore>(object).value;
  return 0;
}
MAZURKA_REPLACEABLE int sem_trywait(sem_t* object) { return try_wait(object, EAGAIN, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int sem_timedwait(sem_t* object, const timespec* deadline) {
  return timed_wait(object, CLOCK_REALTIME, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int sem_clockwait(sem_t* object, clockid_t clock, const timespec* deadline) {
  return timed_wait(object, clock, deadline, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int sem_post(sem_t* object) {
  use_object(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  perform(operation(SemaphorePost, object), MAZURKA_SITE);
  object_used(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  // Posts commute, which they would not if one of them failed.
  if (view<Semaphore>(object).value == SEM_VALUE_MAX) unsupported("sem_post() beyond SEM_VALUE_MAX", MAZURKA_SITE);
  release(object);
  ++view<Semaphore>(object).value;
  return 0;
}
// Reading the value is modelled as a try that never takes anything: it depends on the same operations.
MAZURKA_REPLACEABLE int sem_getvalue(sem_t* object, int* value) {
  use_object(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  perform(operation(SemaphoreTryWait, object), MAZURKA_SITE);
  object_used(object, view<Semaphore>(object).mark, ObjectKind::Semaphore, MAZURKA_SITE);
  const std::uint32_t found = view<Semaphore>(object).value;
  observe(found);
  MAZURKA_WRITES(value, sizeof *value);
  *value = static_cast<int>(found);
  return 0;
}

MAZURKA_REPLACEABLE sem_t* sem_open(const char* name, int flags, ...) {
  use_names(MAZURKA_SITE);
  Named* entry = find(name);
  if (entry != nullptr) {
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return fail_with(EEXIST), SEM_FAILED;
    return &entry->semaphore;
  }
  if ((flags & O_CREAT) == 0) return fail_with(ENOENT), SEM_FAILED;
  if (length_of(name) >= sizeof entry->name) return fail_with(ENAMETOOLONG), SEM_FAILED;
  va_list arguments;
  va_start(arguments, flags);
  static_cast<void>(va_arg(arguments, unsigned));  // the mode
  const unsigned value = va_arg(arguments, unsigned);
  va_end(arguments);
  if (value > SEM_VALUE_MAX) return fail_with(EINVAL), SEM_FAILED;
  entry = static_cast<Named*>(allocate(sizeof(Named)));
  if (entry == nullptr) return fail_with(ENOMEM), SEM_FAILED;
  zero_bytes(entry, sizeof *entry);
  entry->next = named;
  copy_bytes(entry->name, name, length_of(name) + 1);
  view<Semaphore>(&entry->semaphore).value = value;
  named = entry;
  return &entry->semaphore;
}
MAZURKA_REPLACEABLE int sem_close(sem_t*) { return 0; }
MAZURKA_REPLACEABLE int sem_unlink(const char* name) {
  use_names(MAZURKA_SITE);
  Named* entry = find(name);
  if (entry == nullptr) return fail_with(ENOENT);
  entry->unlinked = true;
  return 0;
}

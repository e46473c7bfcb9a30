// pthread_once and the guards of function-local statics.
//
// Compiled code reads the first byte of a guard itself, by an atomic load, and only calls us while it is zero. So that
// byte is the state, and OnceLeave writes it. Since it is read elsewhere, operations on guards carry a size.
#include <pthread.h>

#include "runtime/detector/atomic_checks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/export.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {
namespace {

/// Whether the caller must run the initialiser.
bool enter_once(void* object, std::uint8_t size, std::uint64_t site) {
  Operation enter = operation(OperationKind::OnceEnter, object);
  enter.size = size;
  perform(enter, site);
  if (detector.guarding) guard(object, 1, Touch::AtomicRead, place_of(site));
  acquire(object);
  if (self().failed) return false;
  // The first byte of a guard must stay zero while its initialiser runs.
  auto* bytes = static_cast<std::uint8_t*>(object);
  bytes[size == 0 ? 0 : 1] = kOnceRunning;
  return true;
}

void leave_once(void* object, std::uint8_t size, std::uint8_t state, std::uint64_t site) {
  Operation leave_it = operation(OperationKind::OnceLeave, object);
  leave_it.size = size;
  perform(leave_it, site);
  if (detector.guarding) guard(object, 1, Touch::AtomicWrite, place_of(site));
  release(object);
  auto* bytes = static_cast<std::uint8_t*>(object);
  bytes[0] = state;
  if (size != 0) bytes[1] = 0;
}

struct Running {
  RunningOnce entry;
  std::uint64_t site;
};

// If an exception leaves the initialiser, it runs again: libstdc++'s call_once relies on that.
void after_initialiser(void* argument, int completed) {
  const auto* running = static_cast<const Running*>(argument);
  self().onces = running->entry.next;
  leave_once(const_cast<void*>(running->entry.object), 0, completed != 0 ? kOnceDone : kOnceNew, running->site);
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int pthread_once(pthread_once_t* object, void (*initialise)()) {
  const std::uint64_t site = MAZURKA_SITE;
  if (!enter_once(object, 0, site)) return 0;
  Running running{{object, self().onces}, site};
  self().onces = &running.entry;
  mazurka_call_guarded(initialise, after_initialiser, &running);
  return 0;
}

MAZURKA_REPLACEABLE int __cxa_guard_acquire(std::uint64_t* guard) {
  if (*reinterpret_cast<std::uint8_t*>(guard) != 0) return 0;
  return enter_once(guard, 1, MAZURKA_SITE) ? 1 : 0;
}
MAZURKA_REPLACEABLE void __cxa_guard_release(std::uint64_t* guard) { leave_once(guard, 1, kOnceDone, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void __cxa_guard_abort(std::uint64_t* guard) { leave_once(guard, 1, kOnceNew, MAZURKA_SITE); }
MAZURKA_DEFINE_OWN_CALL(pthread_once);

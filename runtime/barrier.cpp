// Barriers: arriving and leaving are two steps. Whoever leaves knows what all did before they arrived in that round; a
// thread may be late to leave when the next round has begun, so odd and even rounds are kept apart.
#include <errno.h>
#include <pthread.h>

#include "runtime/clocks.hpp"
#include "runtime/object_use.hpp"
#include "runtime/objects.hpp"
#include "runtime/outcome.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/waiting.hpp"

using namespace mazurka::runtime;
using mazurka::OperationKind;

MAZURKA_EXPORT int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0) return EINVAL;
  announce_initialisation(object, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  // Threads of the last round may be late to leave, which destroying the barrier does not prevent.
  const std::uint32_t round = view<Barrier>(object).round + 1;
  *object = pthread_barrier_t{};
  view<Barrier>(object).round = round;
  view<Barrier>(object).needed = count;
  return 0;
}
MAZURKA_EXPORT int pthread_barrier_destroy(pthread_barrier_t* object) {
  announce_destruction(object, MAZURKA_SITE);
  object_used(object, view<Barrier>(object).mark, "barrier", MAZURKA_SITE);
  if (view<Barrier>(object).arrived != 0) {
    message() << "a barrier is destroyed while threads wait at it: " << static_cast<void*>(object);
    fail("destroy-in-use", g.channel->message, MAZURKA_SITE);
  }
  use_object(object, view<Barrier>(object).mark, "barrier", MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  view<Barrier>(object).mark = kDestroyed;
  return 0;
}
MAZURKA_EXPORT int pthread_barrier_wait(pthread_barrier_t* object) {
  auto& barrier = view<Barrier>(object);
  const std::uint64_t site = MAZURKA_SITE;
  use_object(object, barrier.mark, "barrier", site);
  perform(operation(OperationKind::BarrierArrive, object), site);
  object_used(object, barrier.mark, "barrier", site);
  const std::uint32_t round = barrier.round;
  release(object, round % 2);
  self().expected[0] = round;
  const bool last = ++barrier.arrived == barrier.needed;
  if (last) {
    barrier.arrived = 0;
    ++barrier.round;
  }
  perform(operation(OperationKind::BarrierLeave, object), site);
  // Destroying a barrier waits for those who are leaving it; only its memory must not go before.
  if (barrier.mark != kDestroyed) object_used(object, barrier.mark, "barrier", site);
  acquire(object, round % 2);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// Barriers: arrival and departure are two steps. A departure acquires what all threads did before they arrived in that
// round. A thread may depart late, when the next round has begun, so odd and even rounds have separate clocks.
#include <errno.h>
#include <pthread.h>

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/object_use.hpp"
#include "runtime/export.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Names an arrival by its thread and the thread's number of arrivals, so that the name only depends on its own past.
std::uint32_t next_arrival() {
  // Between two arrivals a thread departs, which is an event too.
  constexpr std::uint32_t kThreads = 8192;
  static_assert(protocol::kMaxProcesses < kThreads - 1 && protocol::kMaxEvents / 2 <= (1ULL << 32) / kThreads);
  return self().arrivals++ * kThreads + self().index + 1;
}

/// Tells the waiters of a round which arrival has completed it.
void let_leave(const void* object, std::uint32_t round, std::uint32_t arrival) {
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    Thread& thread = threads.all[i];
    if (thread.life == Life::Live && thread.pending.kind == OperationKind::BarrierLeave &&
        thread.pending.object == reinterpret_cast<std::uint64_t>(object) && thread.expected[0] == round)
      thread.pending.set_arrival(arrival);
  }
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;
using mazurka::Operation;
using mazurka::OperationKind;

MAZURKA_REPLACEABLE int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0) return EINVAL;
  announce_initialisation(object, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  // Threads of the last round may depart late; destroying the barrier does not prevent that.
  const std::uint32_t round = view<Barrier>(object).round + 1;
  constexpr std::uint32_t kNoArrival = UINT32_MAX;
  let_leave(object, round - 1, kNoArrival);
  *object = pthread_barrier_t{};
  view<Barrier>(object).round = round;
  view<Barrier>(object).needed = count;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_barrier_destroy(pthread_barrier_t* object) {
  announce_destruction(object, MAZURKA_SITE);
  object_used(object, view<Barrier>(object).mark, ObjectKind::Barrier, MAZURKA_SITE);
  if (view<Barrier>(object).arrived != 0)
    fail(FailureKind::DestroyInUse, {reinterpret_cast<std::uint64_t>(object), ObjectKind::Barrier}, MAZURKA_SITE);
  use_object(object, view<Barrier>(object).mark, ObjectKind::Barrier, MAZURKA_SITE);
  write_object(object, MAZURKA_SITE);
  view<Barrier>(object).mark = kDestroyed;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_barrier_wait(pthread_barrier_t* object) {
  auto& barrier = view<Barrier>(object);
  const std::uint64_t site = MAZURKA_SITE;
  use_object(object, barrier.mark, ObjectKind::Barrier, site);
  Operation arrive = operation(OperationKind::BarrierArrive, object);
  arrive.set_arrival(next_arrival());
  perform(arrive, site);
  object_used(object, barrier.mark, ObjectKind::Barrier, site);
  const std::uint32_t round = barrier.round;
  release(object, round % 2);
  self().expected[0] = round;
  const bool last = ++barrier.arrived == barrier.needed;
  Operation leave_it = operation(OperationKind::BarrierLeave, object);
  if (last) {
    barrier.arrived = 0;
    ++barrier.round;
    leave_it.set_arrival(arrive.arrival());
    let_leave(object, round, arrive.arrival());
  }
  perform(leave_it, site);
  // Destroying a barrier waits for departing threads; only its memory must not be freed before.
  if (barrier.mark != kDestroyed) object_used(object, barrier.mark, ObjectKind::Barrier, site);
  acquire(object, round % 2);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

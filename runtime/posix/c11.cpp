// C11 threads: POSIX threads with other names and return values.
#include <errno.h>
#include <threads.h>

#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/condition.hpp"
#include "runtime/posix/keys.hpp"
#include "runtime/posix/mutex.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

struct Start {
  thrd_start_t body;
  void* argument;
};

void* run(void* start) {
  const auto [body, argument] = *static_cast<Start*>(start);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(body(argument)));
}

int outcome(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int thrd_create(thrd_t* handle, thrd_start_t body, void* argument) {
  auto* start = static_cast<Start*>(allocate(sizeof(Start)));
  if (start == nullptr) return thrd_nomem;
  *start = {body, argument};
  MAZURKA_WRITES(handle, sizeof *handle);
  return outcome(create_thread(handle, false, run, start, MAZURKA_SITE));
}
MAZURKA_REPLACEABLE int thrd_join(thrd_t handle, int* result) {
  void* value = nullptr;
  const int error = join_thread(handle, value, MAZURKA_SITE, 0);
  if (error == 0 && result != nullptr) {
    MAZURKA_WRITES(result, sizeof *result);
    *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  }
  return outcome(error);
}
MAZURKA_REPLACEABLE void thrd_exit(int result) {
  if (worker.closure && self().index == 0) unsupported("thrd_exit() by the thread of the test", MAZURKA_SITE);
  end_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)), MAZURKA_SITE, Leaving::ByExit);
}
MAZURKA_REPLACEABLE int thrd_detach(thrd_t handle) { return outcome(mazurka_own_pthread_detach(handle)); }
MAZURKA_REPLACEABLE void thrd_yield() { perform(operation(mazurka::OperationKind::Yield), MAZURKA_SITE); }
MAZURKA_REPLACEABLE int thrd_sleep(const timespec* duration, timespec*) {
  MAZURKA_READS(duration, sizeof *duration);
  sleep_for(*duration, MAZURKA_SITE);
  return 0;
}

MAZURKA_REPLACEABLE int mtx_init(mtx_t* mutex, int type) {
  const int kind = (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return outcome(initialise_mutex(posix(mutex), kind, MAZURKA_SITE));
}
MAZURKA_REPLACEABLE void mtx_destroy(mtx_t* mutex) { destroy_mutex(posix(mutex), MAZURKA_SITE); }
MAZURKA_REPLACEABLE int mtx_lock(mtx_t* mutex) { return outcome(lock_mutex(posix(mutex), MAZURKA_SITE)); }
MAZURKA_REPLACEABLE int mtx_trylock(mtx_t* mutex) { return outcome(try_lock_mutex(posix(mutex), EBUSY, MAZURKA_SITE)); }
MAZURKA_REPLACEABLE int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  const int result = try_lock_mutex(posix(mutex), ETIMEDOUT, MAZURKA_SITE);
  if (result == ETIMEDOUT) reach(CLOCK_REALTIME, deadline);
  return outcome(result);
}
MAZURKA_REPLACEABLE int mtx_unlock(mtx_t* mutex) { return outcome(unlock_mutex(posix(mutex), MAZURKA_SITE)); }

MAZURKA_REPLACEABLE int cnd_init(cnd_t* condition) {
  return outcome(initialise_condition(posix(condition), CLOCK_REALTIME, MAZURKA_SITE));
}
MAZURKA_REPLACEABLE void cnd_destroy(cnd_t* condition) { destroy_condition(posix(condition), MAZURKA_SITE); }
MAZURKA_REPLACEABLE int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return outcome(wait_condition(posix(condition), posix(mutex), CLOCK_REALTIME, nullptr, MAZURKA_SITE));
}
MAZURKA_REPLACEABLE int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  return outcome(wait_condition(posix(condition), posix(mutex), CLOCK_REALTIME, deadline, MAZURKA_SITE));
}
MAZURKA_REPLACEABLE int cnd_signal(cnd_t* condition) {
  return outcome(signal_condition(posix(condition), MAZURKA_SITE));
}
MAZURKA_REPLACEABLE int cnd_broadcast(cnd_t* condition) {
  return outcome(broadcast_condition(posix(condition), MAZURKA_SITE));
}

MAZURKA_REPLACEABLE int tss_create(tss_t* key, tss_dtor_t destructor) {
  unsigned number = 0;
  const int error = create_key(number, destructor, MAZURKA_SITE);
  if (error == 0) {
    MAZURKA_WRITES(key, sizeof *key);
    *key = number;
  }
  return outcome(error);
}
MAZURKA_REPLACEABLE void tss_delete(tss_t key) { delete_key(key, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void* tss_get(tss_t key) { return mazurka_own_pthread_getspecific(key); }
MAZURKA_REPLACEABLE int tss_set(tss_t key, void* value) { return outcome(set_value(key, value, MAZURKA_SITE)); }
MAZURKA_REPLACEABLE void call_once(once_flag* flag, void (*initialise)()) {
  mazurka_own_pthread_once(reinterpret_cast<pthread_once_t*>(flag), initialise);
}

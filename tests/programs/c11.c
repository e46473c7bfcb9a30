/* C11 threads, mutexes, conditions, thread-specific data and atomics. Prints what main found; see
 * src/program/programs_test.cpp. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready, order, initialised;
static atomic_int destroyed;
static thread_local int mine = 1;

static void initialise(void) { ++initialised; }
static void destroy(void* value) { atomic_fetch_add(&destroyed, *(int*)value); }

static int waiter(void* p) {
  call_once(&flag, initialise);
  tss_set(key, &mine);
  assert(mtx_lock(&m) == thrd_success);
  while (!ready) assert(cnd_wait(&c, &m) == thrd_success);
  order = order * 10 + *(int*)p;
  assert(mtx_unlock(&m) == thrd_success);
  return ++mine;
}

int main(void) {
  assert(mtx_init(&m, mtx_plain) == thrd_success && cnd_init(&c) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
  int numbers[2] = {1, 2};
  thrd_t threads[2];
  for (int i = 0; i < 2; ++i) assert(thrd_create(&threads[i], waiter, &numbers[i]) == thrd_success);
  thrd_yield();
  mtx_lock(&m);
  ready = 1;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  for (int i = 0; i < 2; ++i) {
    int result;
    assert(thrd_join(threads[i], &result) == thrd_success && result == 2);
  }
  assert(mine == 1 && mtx_trylock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy);
  mtx_unlock(&m);
  mtx_destroy(&m);
  cnd_destroy(&c);
  printf("%d,%d,%d", order, initialised, destroyed);
}

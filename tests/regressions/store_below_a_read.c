/* With observers, a sequence was inserted into a wakeup tree below the first thread's store, whose order with the second
   thread's it leaves open, beside the first thread's load, which fixes that order: it led to an execution seen before. */
#include <pthread.h>
#include <stdatomic.h>
#include "mazurka/mazurka.h"

static atomic_int y;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* stores_and_loads(void* unused) {
  atomic_store(&y, 2);
  (void)atomic_load(&y);
  return unused;
}

static void* stores(void* unused) {
  atomic_store(&y, 2);
  return unused;
}

static void* may_load(void* unused) {
  pthread_cond_signal(&c);
  if (mazurka_choose(2) == 1) (void)atomic_load(&y);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, stores_and_loads, 0);
  pthread_create(&t, 0, stores, 0);
  pthread_create(&t, 0, may_load, 0);
  pthread_cond_broadcast(&c);
  return 0;
}

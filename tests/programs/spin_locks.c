/* Spin locks: n threads enter one after the other, so there are n! executions whatever the compiler makes of the loop.
   KIND 0: test-and-set; 1: compare-and-swap; 2: tickets. */
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3 };

atomic_int locked;
atomic_uint next, serving;
int entered;

static unsigned lock(void) {
#if KIND == 0
  while (atomic_exchange(&locked, 1)) {
  }
#elif KIND == 1
  int expected = 0;
  while (!atomic_compare_exchange_strong(&locked, &expected, 1)) expected = 0;
#else
  const unsigned ticket = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != ticket) {
  }
  return ticket;
#endif
  return 0;
}

static void unlock(unsigned ticket) {
#if KIND == 2
  atomic_store(&serving, ticket + 1);
#else
  (void)ticket;
  atomic_store(&locked, 0);
#endif
}

static void* enter(void* argument) {
  const unsigned ticket = lock();
  ++entered;
  unlock(ticket);
  return argument;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, enter, 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return entered != kThreads;
}

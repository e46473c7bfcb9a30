// An update is lost in some schedules.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  atomic_store(&counter, atomic_load(&counter) + 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(atomic_load(&counter) == 2);
  return 0;
}

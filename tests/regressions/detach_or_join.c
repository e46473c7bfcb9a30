/* One thread is joined by another and detached by main: who is first succeeds, the other is told that it came too late. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t;
static atomic_int x;

static void* nothing(void* unused) { return unused; }
static void* join(void* unused) {
  if (pthread_join(t, 0) != 0) x = 1;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&t, 0, nothing, 0);
  pthread_create(&other, 0, join, 0);
  if (pthread_detach(t) != 0) x = 2;
  (void)atomic_load(&x);
}

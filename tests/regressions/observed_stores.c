/* The smallest program of which `observers` lost classes: 35 of 40. A sequence in a wakeup tree that had become redundant was
   dropped, although it also stood for others that were not. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* a(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  return unused;
}

static void* b(void* unused) {
  atomic_store(&x, 2);
  atomic_store(&y, 2);
  (void)atomic_load(&y);
  return unused;
}

static void* c(void* unused) {
  (void)atomic_load(&x);
  atomic_store(&y, 3);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return 0;
}

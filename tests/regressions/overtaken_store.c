/* `observers` lost one class of 153: a reversal counted as settled, although a store in it had overtaken another one on its
   way down the wakeup tree, and a later read tells the two orders apart. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* a(void* unused) {
  int expected = 0;
  atomic_store(&y, 1);
  atomic_compare_exchange_strong(&x, &expected, 2);
  return unused;
}

static void* b(void* unused) {
  atomic_store(&x, 3);
  atomic_store(&y, 4);
  return unused;
}

static void* c(void* unused) {
  (void)atomic_load(&x);
  atomic_store(&y, 5);
  return unused;
}

static void* d(void* unused) {
  int expected = 0;
  atomic_store(&x, 6);
  atomic_compare_exchange_strong(&y, &expected, 7);
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  pthread_create(&t[3], 0, d, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  return 0;
}

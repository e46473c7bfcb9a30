/* Two threads fail independently of each other, and a third only if it comes between two steps of the first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* first(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  assert(0 && "first");
  return unused;
}

static void* second(void* unused) {
  atomic_store(&y, 1);
  assert(0 && "second");
  return unused;
}

static void* third(void* unused) {
  (void)atomic_load(&y);
  if (atomic_load(&x) == 1 && atomic_load(&y) == 0) assert(0 && "third");
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return 0;
}

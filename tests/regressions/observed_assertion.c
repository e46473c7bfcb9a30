/* An assertion that fails in a class which `observers` once lost, as 14 of 130: c sees a's x after b's, and everybody sees
   a's y last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a_x, b_y, c_x, c_y; /* what was read */

static void* a(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  a_x = atomic_load(&x);
  return unused;
}

static void* b(void* unused) {
  atomic_store(&x, 2);
  atomic_store(&y, 2);
  b_y = atomic_load(&y);
  return unused;
}

static void* c(void* unused) {
  c_x = atomic_load(&x);
  atomic_store(&y, 3);
  c_y = atomic_load(&y);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  assert(!(a_x == 1 && b_y == 1 && c_x == 1 && c_y == 1));
  return 0;
}

/* Only one order of registration fails. */
#include <pthread.h>
#include <stdlib.h>

static int order;
static void first(void) {
  if (order == 0) abort();
}
static void second(void) { order = 1; }

static void* register_first(void* unused) {
  atexit(first);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, register_first, 0);
  atexit(second);
  pthread_join(t, 0);
}

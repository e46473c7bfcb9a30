/* Handlers run in the reverse order of their registration. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int order;
static void first(void) { order = order * 10 + 1; }
static void second(void) { order = order * 10 + 2; }
static void tell(void) { printf("%d", order); }

static void* register_first(void* unused) {
  atexit(first);
  return unused;
}

int main(void) {
  pthread_t t;
  atexit(tell);
  pthread_create(&t, 0, register_first, 0);
  atexit(second);
  pthread_join(t, 0);
}

/* N threads store their number to x; main joins them and reads it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 9
#endif

static atomic_int x;

static void* store(void* number) {
  atomic_store(&x, (int)(intptr_t)number);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, store, (void*)(intptr_t)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  return atomic_load(&x) == 0;
}

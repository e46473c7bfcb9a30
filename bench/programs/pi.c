/* T threads add up their part of a series for pi, each for itself, and then add it to the common sum under a lock. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#ifndef T
#define T 6
#endif
#ifndef TERMS
#define TERMS 6000
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void* part(void* p) {
  const intptr_t first = (intptr_t)p;
  double mine = 0;
  for (intptr_t i = first; i < TERMS; i += T) mine += (i % 2 == 0 ? 4.0 : -4.0) / (double)(2 * i + 1);
  pthread_mutex_lock(&mutex);
  sum += mine;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[T];
  for (intptr_t i = 0; i < T; ++i) pthread_create(&threads[i], 0, part, (void*)i);
  for (int i = 0; i < T; ++i) pthread_join(threads[i], 0);
  return fabs(sum - 3.14159) > 0.001;
}

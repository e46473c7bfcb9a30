/* N threads increment a counter under a mutex; main joins them. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 8
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* increment(void* unused) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  assert(counter == N);
}

/* K pairs of threads: w_i locks its own mutex, r_i locks the common one and then that of w_i. */
#include <pthread.h>
#include <stdint.h>
#ifndef K
#define K 6
#endif

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own[K];

static void* w(void* p) {
  const intptr_t i = (intptr_t)p;
  pthread_mutex_lock(&own[i]);
  pthread_mutex_unlock(&own[i]);
  return 0;
}

static void* r(void* p) {
  const intptr_t i = (intptr_t)p;
  pthread_mutex_lock(&common);
  pthread_mutex_lock(&own[i]);
  pthread_mutex_unlock(&own[i]);
  pthread_mutex_unlock(&common);
  return 0;
}

int main(void) {
  for (intptr_t i = 0; i < K; ++i) pthread_mutex_init(&own[i], 0);
  for (intptr_t i = 0; i < K; ++i) {
    pthread_t thread;
    pthread_create(&thread, 0, w, (void*)i);
    pthread_create(&thread, 0, r, (void*)i);
  }
  pthread_exit(0);
}

/* counter_mutex(n): n threads count one up each under a mutex; main joins them. */
#include <assert.h>

#include "args.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add_one(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  pthread_t threads[kMost];
  for (int i = 0; i < n; ++i) threads[i] = spawn(add_one, i);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], 0);
  assert(count == n);
  return 0;
}

/* K writers, a thread that counts, and main, which visits the writer that the count names: a growing number of blocked
   executions with 1-partial alternatives, none with 2-partial ones. */
#include "args.h"

static pthread_mutex_t own[kMost];
static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int writers;

static void* write_own(void* argument) {
  touch(&own[(intptr_t)argument]);
  return 0;
}

static void* count_up(void* unused) {
  for (int x = 1; x < writers; ++x) {
    pthread_mutex_lock(&count_mutex);
    count = x;
    pthread_mutex_unlock(&count_mutex);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t all[kMost];
  writers = number(argc, argv, 1, 3);
  init_all(own, writers);
  for (int i = 0; i < writers; ++i) all[i] = spawn(write_own, i);
  const pthread_t counter = spawn(count_up, 0);
  pthread_mutex_lock(&count_mutex);
  const int target = count;
  pthread_mutex_unlock(&count_mutex);
  touch(&own[target]);
  for (int i = 0; i < writers; ++i) pthread_join(all[i], 0);
  pthread_join(counter, 0);
  return 0;
}

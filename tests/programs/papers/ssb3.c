/* SSB3(W, L): one reader either visits a writer that a count names or starts a contest of L critical sections with a
   thread of its own. */
#include "args.h"

static pthread_mutex_t own[kMost];
static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mz = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mc = PTHREAD_MUTEX_INITIALIZER;
static int z;
static int count;
static int writers;
static int sections;

static void* write_own(void* argument) {
  touch(&own[(intptr_t)argument]);
  return 0;
}

static void* contest(void* unused) {
  for (int i = 0; i < sections; ++i) touch(&mx);
  return unused;
}

static void* write_count(void* unused) {
  pthread_mutex_lock(&mz);
  z = 1;
  pthread_mutex_unlock(&mz);
  for (int x = 1; x < writers; ++x) {
    pthread_mutex_lock(&mc);
    count = x;
    pthread_mutex_unlock(&mc);
  }
  return unused;
}

static void* read_z(void* unused) {
  pthread_mutex_lock(&mz);
  const int seen = z;
  pthread_mutex_unlock(&mz);
  if (seen == 1 && writers > 0) {
    pthread_mutex_lock(&mc);
    const int target = count;
    pthread_mutex_unlock(&mc);
    touch(&own[target]);
  } else {
    const pthread_t other = spawn(contest, 0);
    contest(0);
    pthread_join(other, 0);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t all[kMost];
  writers = number(argc, argv, 1, 3);
  sections = number(argc, argv, 2, 2);
  init_all(own, writers);
  for (int i = 0; i < writers; ++i) all[i] = spawn(write_own, i);
  const pthread_t counter = spawn(write_count, 0);
  const pthread_t reader = spawn(read_z, 0);
  for (int i = 0; i < writers; ++i) pthread_join(all[i], 0);
  pthread_join(counter, 0);
  pthread_join(reader, 0);
  return 0;
}

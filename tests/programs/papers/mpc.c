/* MPC(P, W) of *Quasi-Optimal POR*: P producers mix their numbers into a buffer and post to the worker that the buffer
   names; each of W workers looks into its mailbox twice. */
#include "args.h"

static pthread_mutex_t buffer_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t worker_mutex[kMost];
static unsigned buffer;
static int requests[kMost];
static int done[kMost];
static int producers;
static int workers;

static void* work(void* argument) {
  const intptr_t i = (intptr_t)argument;
  for (int round = 0; round < 2; ++round) {
    int have = 0;
    pthread_mutex_lock(&worker_mutex[i]);
    if (requests[i] != 0) {
      --requests[i];
      have = 1;
    }
    pthread_mutex_unlock(&worker_mutex[i]);
    if (have) ++done[i];
  }
  return 0;
}

static void* produce(void* argument) {
  const unsigned id = (unsigned)(intptr_t)argument;
  unsigned last = 0;
  for (int round = 0; round < 2; ++round) {
    pthread_mutex_lock(&buffer_mutex);
    buffer = buffer * (unsigned)producers + id;
    last = buffer;
    pthread_mutex_unlock(&buffer_mutex);
  }
  const unsigned target = last % (unsigned)workers;
  pthread_mutex_lock(&worker_mutex[target]);
  ++requests[target];
  pthread_mutex_unlock(&worker_mutex[target]);
  return 0;
}

int main(int argc, char** argv) {
  producers = number(argc, argv, 1, 2);
  workers = number(argc, argv, 2, 5);
  if (workers == 0) exit(2);
  init_all(worker_mutex, workers);
  for (int i = 0; i < workers; ++i) spawn(work, i);
  for (int i = 0; i < producers; ++i) spawn(produce, i);
  pthread_exit(0);
}

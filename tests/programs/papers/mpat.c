/* MPAT(K) of *Quasi-Optimal POR*: K pairs of threads; w_i locks a mutex of its own, r_i the common one and then that of
   w_i. */
#include "args.h"

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own[kMost];

static void* w(void* argument) {
  touch(&own[(intptr_t)argument]);
  return 0;
}

static void* r(void* argument) {
  pthread_mutex_lock(&common);
  touch(&own[(intptr_t)argument]);
  pthread_mutex_unlock(&common);
  return 0;
}

int main(int argc, char** argv) {
  const int pairs = number(argc, argv, 1, 4);
  init_all(own, pairs);
  for (int i = 0; i < pairs; ++i) {
    spawn(w, i);
    spawn(r, i);
  }
  pthread_exit(0);
}

/* PI(T) of *Quasi-Optimal POR*: T threads add up their shares of an alternating series and then add them to the sum. */
#include <stdio.h>

#include "args.h"

enum { kTerms = 5000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sum;
static int threads;

static void* add_share(void* argument) {
  double share = 0;
  for (int term = (int)(intptr_t)argument; term < kTerms; term += threads)
    share += (term % 2 == 0 ? 4.0 : -4.0) / (2.0 * term + 1.0);
  pthread_mutex_lock(&mutex);
  sum += share;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(int argc, char** argv) {
  pthread_t all[kMost];
  threads = number(argc, argv, 1, 5);
  for (int i = 0; i < threads; ++i) all[i] = spawn(add_share, i);
  for (int i = 0; i < threads; ++i) pthread_join(all[i], 0);
  if (threads > 0 && (sum < 3.141 || sum > 3.142)) printf("a sum of %f\n", sum);
  return 0;
}

/* lastwrite(n) of *Optimal DPOR with Observers*: n threads store to x; main joins them all and reads it. */
#include <stdatomic.h>

#include "args.h"

static atomic_int x;

static void* store(void* value) {
  x = (int)(intptr_t)value;
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  pthread_t threads[kMost];
  for (int i = 0; i < n; ++i) threads[i] = spawn(store, i + 1);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], 0);
  return x == 0;
}

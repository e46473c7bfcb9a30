/* lamport(n): each of n threads takes and gives back Lamport's second fast mutex once. Where the algorithm awaits a
   condition, only executions in which it holds at that moment are of interest. */
#include <stdatomic.h>

#include "args.h"
#include "mazurka/mazurka.h"

static atomic_int x;
static atomic_int y;
static atomic_int wants[kMost + 1];
static int threads;

static void* enter(void* argument) {
  const int me = (int)(intptr_t)argument;
  for (;;) {
    wants[me] = 1;
    x = me;
    if (y != 0) {
      wants[me] = 0;
      mazurka_assume(y == 0);
      continue;
    }
    y = me;
    if (x == me) break;
    wants[me] = 0;
    for (int other = 1; other <= threads; ++other) mazurka_assume(wants[other] == 0);
    if (y == me) break;
    mazurka_assume(y == 0);
  }
  y = 0;
  wants[me] = 0;
  return 0;
}

int main(int argc, char** argv) {
  threads = number(argc, argv, 1, 2);
  for (int i = 1; i <= threads; ++i) spawn(enter, i);
  return 0;
}

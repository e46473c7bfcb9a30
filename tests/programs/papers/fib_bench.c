/* fib_bench(k): two threads add the other's number to their own, k times; main reads both numbers, with a second
   argument other than 0 only after it has joined the threads. */
#include <stdatomic.h>

#include "args.h"

static atomic_int i = 1;
static atomic_int j = 1;

static void* first(void* rounds) {
  for (int k = (int)(intptr_t)rounds; k > 0; --k) {
    const int mine = i;
    i = mine + j;
  }
  return 0;
}

static void* second(void* rounds) {
  for (int k = (int)(intptr_t)rounds; k > 0; --k) {
    const int other = i;
    j = other + j;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1, 4);
  const int joined = number(argc, argv, 2, 0);
  const pthread_t t1 = spawn(first, rounds);
  const pthread_t t2 = spawn(second, rounds);
  if (joined) {
    pthread_join(t1, 0);
    pthread_join(t2, 0);
  }
  const int last_i = i;
  const int last_j = j;
  return last_i > 1 << 20 || last_j > 1 << 20;
}

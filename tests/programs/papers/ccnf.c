/* CCNF(2m+1) of *Unfolding-based POR*: m variables, each written by two threads of its own; nobody joins. */
#include "args.h"

static int v[kMost];

static void* write_one(void* argument) {
  v[(intptr_t)argument] = 1;
  return 0;
}

static void* write_two(void* argument) {
  v[(intptr_t)argument] = 2;
  return 0;
}

int main(int argc, char** argv) {
  const int variables = (number(argc, argv, 1, 9) - 1) / 2;
  for (int k = 0; k < variables; ++k) {
    spawn(write_one, k);
    spawn(write_two, k);
  }
  pthread_exit(0);
}

/* readers(n): one writer, n readers of x. */
#include <stdatomic.h>

#include "args.h"

static atomic_int x;

static void* store(void* unused) {
  (void)unused;
  x = 1;
  return 0;
}

static void* load(void* unused) {
  (void)unused;
  return (void*)(intptr_t)x;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  spawn(store, 0);
  for (int i = 0; i < n; ++i) spawn(load, i);
  return 0;
}

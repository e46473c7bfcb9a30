/* floating_read(n) of *Optimal DPOR with Observers*: n threads store to x, one more reads it at any time. */
#include <stdatomic.h>

#include "args.h"

static atomic_int x;

static void* store(void* value) {
  x = (int)(intptr_t)value;
  return 0;
}

static void* load(void* unused) {
  (void)unused;
  return (void*)(intptr_t)x;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  for (int i = 0; i < n; ++i) spawn(store, i + 1);
  spawn(load, 0);
  return 0;
}

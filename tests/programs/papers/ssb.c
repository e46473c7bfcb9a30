/* SSB of *Unfolding-based POR*, and with an argument N > 0 SSB(N): four threads over three variables, on which sleep
   sets alone are blocked. */
#include "args.h"

static int x;
static int y;
static int z;

static void* p(void* unused) {
  x = 1;
  return unused;
}

static void* q(void* unused) {
  y = 1;
  return unused;
}

static void* r(void* unused) {
  if (y == 0) z = 1;
  return unused;
}

static void* s(void* unused) {
  LOCALS(1); /* presumably aux = 0, as below */
  if (z == 1) x = 2;
  return unused;
}

static void* s_loop(void* argument) {
  const int n = (int)(intptr_t)argument;
  LOCALS(1);
  while (y < n) {
    if (z == 1) x = 2;
    const int aux = y;
    y = aux + 1;
    LOCALS(2); /* aux = 0, goto */
  }
  return 0;
}

UNSEEN int main(int argc, char** argv) {
  pthread_t all[4];
  const int bound = number(argc, argv, 1, 0);
  LOCALS(4); /* the threads */
  all[0] = spawn(p, 0);
  all[1] = spawn(q, 0);
  all[2] = spawn(r, 0);
  all[3] = bound == 0 ? spawn(s, 0) : spawn(s_loop, bound);
  for (int i = 0; i < 4; ++i) pthread_join(all[i], 0);
  return 0;
}

/* DEKKER of *Unfolding-based POR*: mutual exclusion by two flags and a turn. */
#include "shared.h"

static atomic_int flag1;
static atomic_int flag2;
static atomic_int turn;
static atomic_int x;

static void* first(void* unused) {
  SET(flag1, 1);
  while (GET(flag2) >= 1)
    if (GET(turn) != 0) {
      SET(flag1, 0);
      while (GET(turn) != 0) {
      }
      SET(flag1, 1);
    }
  SET(x, 0);
  assert(GET(x) <= 0);
  SET(turn, 1);
  SET(flag1, 0);
  return unused;
}

static void* second(void* unused) {
  SET(flag2, 1);
  while (GET(flag1) >= 1)
    if (GET(turn) != 1) {
      SET(flag2, 0);
      while (GET(turn) != 1) {
      }
      SET(flag2, 1);
    }
  SET(x, 1);
  assert(GET(x) >= 1);
  SET(turn, 0);
  SET(flag2, 0);
  return unused;
}

int main(void) { return run_both(first, second); }

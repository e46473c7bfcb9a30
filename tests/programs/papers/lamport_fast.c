/* LAMPORT of *Unfolding-based POR*: the fast mutual exclusion of two threads. */
#include "shared.h"

static atomic_int b1;
static atomic_int b2;
static atomic_int x;
static atomic_int y;
static atomic_int inside;

#define ENTER(me, mine, other) \
  again:                       \
  SET(mine, 1);                \
  SET(x, me);                  \
  if (GET(y) != 0) {           \
    SET(mine, 0);              \
    while (GET(y) != 0) {      \
    }                          \
    goto again;                \
  }                            \
  SET(y, me);                  \
  if (GET(x) != (me)) {        \
    SET(mine, 0);              \
    while (GET(other) >= 1) {  \
    }                          \
    if (GET(y) != (me)) {      \
      while (GET(y) != 0) {    \
      }                        \
      goto again;              \
    }                          \
  }

static void* first(void* unused) {
  ENTER(1, b1, b2)
  SET(inside, 0);
  assert(GET(inside) <= 0);
  SET(y, 0);
  SET(b1, 0);
  return unused;
}

static void* second(void* unused) {
  ENTER(2, b2, b1)
  SET(inside, 1);
  assert(GET(inside) >= 1);
  SET(y, 0);
  SET(b2, 0);
  return unused;
}

int main(void) { return run_both(first, second); }

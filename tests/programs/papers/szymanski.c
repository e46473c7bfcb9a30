/* SZYMANSKI of *Unfolding-based POR*: mutual exclusion by two flags of five values. */
#include "shared.h"

static atomic_int flag1;
static atomic_int flag2;
static atomic_int x;

#define ENTER(mine, other)    \
  SET(mine, 1);               \
  while (GET(other) >= 3) {   \
  }                           \
  SET(mine, 3);               \
  if (GET(other) == 1) {      \
    SET(mine, 2);             \
    while (GET(other) != 4) { \
    }                         \
  }                           \
  SET(mine, 4);               \
  while (GET(other) >= 2) {   \
  }

#define LEAVE(mine, other)                                  \
  {                                                         \
    int seen = GET(other);                                  \
    while (2 <= seen && GET(other) <= 3) seen = GET(other); \
    SET(mine, 0);                                           \
  }

static void* first(void* unused) {
  ENTER(flag1, flag2)
  SET(x, 0);
  assert(GET(x) <= 0);
  LEAVE(flag1, flag2)
  return unused;
}

static void* second(void* unused) {
  ENTER(flag2, flag1)
  SET(x, 1);
  assert(GET(x) >= 1);
  LEAVE(flag2, flag1)
  return unused;
}

int main(void) { return run_both(first, second); }

/* PETERSON of *Unfolding-based POR*. With an argument other than 0 the turn is given away too early, and both threads
   may be inside. */
#include "shared.h"

static atomic_int flag1;
static atomic_int flag2;
static atomic_int turn;
static atomic_int x;
static int faulty;

UNSEEN static int is_faulty(void) { return faulty; }

static void* first(void* unused) {
  if (is_faulty()) SET(turn, 1);
  SET(flag1, 1);
  if (!is_faulty()) SET(turn, 1);
  int seen = GET(flag2);
  while (seen == 1 && GET(turn) == 1) seen = GET(flag2);
  SET(x, 0);
  assert(GET(x) <= 0);
  SET(flag1, 0);
  return unused;
}

static void* second(void* unused) {
  if (is_faulty()) SET(turn, 0);
  SET(flag2, 1);
  if (!is_faulty()) SET(turn, 0);
  int seen = GET(flag1);
  while (seen == 1 && GET(turn) == 0) seen = GET(flag1);
  SET(x, 1);
  assert(GET(x) >= 1);
  SET(flag2, 0);
  return unused;
}

UNSEEN int main(int argc, char** argv) {
  faulty = number(argc, argv, 1, 0);
  return run_both(first, second);
}

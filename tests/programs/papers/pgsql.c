/* PGSQL of *Unfolding-based POR*: two workers wake each other, for ever. With an argument other than 0 a latch is set
   before its flag, and the other may find it so. */
#include "shared.h"

static atomic_int latch1 = 1;
static atomic_int flag1 = 1;
static atomic_int latch2;
static atomic_int flag2;
static int faulty;

UNSEEN static int is_faulty(void) { return faulty; }

#define WORK(my_latch, my_flag, other_latch, other_flag) \
  for (;;) {                                             \
    while (GET(my_latch) != 1) {                         \
    }                                                    \
    if (GET(my_latch)) assert(GET(my_flag));             \
    SET(my_latch, 0);                                    \
    if (GET(my_flag)) {                                  \
      SET(my_flag, 0);                                   \
      if (is_faulty()) SET(other_latch, 1);              \
      SET(other_flag, 1);                                \
      if (!is_faulty()) SET(other_latch, 1);             \
    }                                                    \
  }

static void* first(void* unused) {
  WORK(latch1, flag1, latch2, flag2)
  return unused;
}

static void* second(void* unused) {
  WORK(latch2, flag2, latch1, flag1)
  return unused;
}

UNSEEN int main(int argc, char** argv) {
  faulty = number(argc, argv, 1, 0);
  spawn(first, 0);
  second(0);
}

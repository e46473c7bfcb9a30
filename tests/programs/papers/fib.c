/* FIB(k) of *Unfolding-based POR*: two threads add the other's number to their own, k times. With a second argument
   other than 0 it is FIB*, whose assertion does not hold for k = 5. */
#include <assert.h>

#include "args.h"

static int i = 1;
static int j = 1;

static void* first(void* rounds) {
  const int k = (int)(intptr_t)rounds;
  LOCALS(6); /* k, k = 0, t, s, k = 0, the first k < 5 */
  for (int round = 0; round < k; ++round) {
    i = i + j;
    LOCALS(3); /* k = k + 1, goto, k < 5 */
  }
  return 0;
}

static void* second(void* rounds) {
  const int k = (int)(intptr_t)rounds;
  LOCALS(6);
  for (int round = 0; round < k; ++round) {
    j = i + j;
    LOCALS(3);
  }
  return 0;
}

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1, 5);
  const int faulty = number(argc, argv, 2, 0);
  LOCALS(2); /* the threads */
  const pthread_t t1 = spawn(first, rounds);
  const pthread_t t2 = spawn(second, rounds);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  const int bound = faulty ? 143 : 144;
  if (i > bound || j > bound) assert(!"a number grew beyond the bound");
  return 0;
}

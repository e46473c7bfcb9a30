/* The rounding modes and exception flags of floating-point operations belong to a thread, which inherits the modes of
 * the one that creates it. The first argument names the scenario; src/program/programs_test.cpp and
 * src/unfolding/endless_programs_test.cpp have what is found in each. */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static atomic_int flag, other;
static volatile double one = 1, three = 3;
static volatile long double long_one = 1, long_three = 3;

/* As the operations of both units have it: 1/3 is rounded up in this direction only. */
static int is_upwards(void) {
  const double third = one / three;
  const long double long_third = long_one / long_three;
  const int upwards = third * 3 > 1, long_upwards = long_third * 3 > 1;
  assert(upwards == long_upwards);
  return upwards;
}

static void* round_upwards(void* unused) {
  assert(!is_upwards());
  fesetround(FE_UPWARD);
  atomic_store(&flag, 1);
  assert(is_upwards());
  atomic_store(&other, 1);
  assert(is_upwards());
  return unused;
}
static void own(void) {
  pthread_t thread;
  assert(!is_upwards()); /* whatever earlier executions did */
  pthread_create(&thread, NULL, round_upwards, NULL);
  const int seen = atomic_load(&flag);
  assert(!is_upwards());
  pthread_join(thread, NULL);
  assert(!is_upwards());
  printf("%d", seen);
}

static void* print_direction(void* unused) {
  atomic_store(&flag, 1);
  printf("%s", fegetround() == FE_DOWNWARD ? "down" : "else");
  return unused;
}
static void inherited(void) {
  pthread_t thread;
  fesetround(FE_DOWNWARD);
  pthread_create(&thread, NULL, print_direction, NULL);
  fesetround(FE_UPWARD);
  atomic_store(&other, 1);
  pthread_join(thread, NULL);
  assert(fegetround() == FE_UPWARD);
}

static void* divide(void* unused) {
  one = one / (three - 3);
  atomic_store(&flag, 1);
  assert(fetestexcept(FE_DIVBYZERO) != 0);
  return unused;
}
static void flags(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, divide, NULL);
  atomic_load(&flag);
  pthread_join(thread, NULL);
  printf("%d", fetestexcept(FE_DIVBYZERO) != 0);
}

/* In the third round, a thread that nobody could tell from itself in the first one but for its mode fails. */
static void* turn(void* unused) {
  static const int next[] = {FE_UPWARD, FE_DOWNWARD};
  for (;;) {
    atomic_exchange(&flag, 0);
    assert(fegetround() != FE_DOWNWARD);
    fesetround(next[fegetround() == FE_UPWARD]);
  }
  return unused;
}
static void rounds(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, turn, NULL);
  pthread_join(thread, NULL);
}

int main(int count, char** arguments) {
  assert(count == 2);
  if (strcmp(arguments[1], "own") == 0) own();
  if (strcmp(arguments[1], "inherited") == 0) inherited();
  if (strcmp(arguments[1], "flags") == 0) flags();
  if (strcmp(arguments[1], "rounds") == 0) rounds();
}

/* Programs that end with a status, and executions that assumptions cut; the first argument says which.
 * src/program/status_test.cpp and tests/cli/status_test.cpp know what is to be found. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int a, b;
static atomic_uint word;

static void* set_one(void* p) {
  atomic_store(&a, 1);
  return p;
}
static void* count(void* p) {
  for (int i = 0; i < 6; ++i) atomic_fetch_add(&b, 1);
  atomic_fetch_add(&a, 1);
  return p;
}
static void* exits(void* p) { exit((int)(intptr_t)p); }
static void* fails(void* p) {
  if (atomic_load(&a) == 2) abort();
  return p;
}
static pthread_t start(void* (*body)(void*), intptr_t argument) {
  pthread_t t;
  if (pthread_create(&t, NULL, body, (void*)argument) != 0) abort();
  return t;
}

/* The status depends on the schedule. */
static int returns(void) {
  pthread_t t = start(set_one, 0);
  int seen = atomic_load(&a);
  pthread_join(t, NULL);
  return seen;
}
/* Main is gone long before the others are: what they do is explored all the same. */
static int returns_early(void) {
  pthread_detach(start(count, 0));
  pthread_detach(start(count, 0));
  pthread_detach(start(fails, 0));
  return 3;
}
static int leaves_by_pthread_exit(void) {
  pthread_exit((void*)1);
  return 1;
}
static int others_exit(void) {
  pthread_detach(start(exits, 0));
  return 1;
}
static int status_of_256(void) { return 256; }
static int exit_of_256(void) { exit(256); }
static int exit_at_once(void) { _exit(4); }
static int exit_quickly(void) { quick_exit(5); }

static int all_cut(void) {
  mazurka_assume(0);
  abort();
}
static int range_misses(void) {
  mazurka_nondet_range(0, 3);
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 5);
  if (n == 7) __VERIFIER_error();
  return 0;
}
static int some_cut(void) {
  mazurka_assume(mazurka_choose(3) == 1);
  return 0;
}

static long futex(int command, unsigned value, const struct timespec* time, unsigned mask) {
  return syscall(SYS_futex, &word, command, value, time, NULL, mask);
}
static void* wake_any(void* p) {
  atomic_store(&word, 1);
  futex(FUTEX_WAKE_BITSET, INT_MAX, NULL, FUTEX_BITSET_MATCH_ANY);
  return p;
}
static int bitset_any(void) {
  struct timespec deadline = {1, 0};
  pthread_t t = start(wake_any, 0);
  long result = 0;
  while (atomic_load(&word) == 0 && result == 0) {
    result = futex(FUTEX_WAIT_BITSET, 0, &deadline, FUTEX_BITSET_MATCH_ANY);
    if (result != 0 && errno == EAGAIN) result = 0;
  }
  pthread_join(t, NULL);
  printf("%s", result == 0 ? "woken" : strerror(errno));
  return 0;
}
static int bitset_none(void) {
  const long wait = futex(FUTEX_WAIT_BITSET, 0, NULL, 0);
  const int wait_error = errno;
  errno = 0;
  const long wake = futex(FUTEX_WAKE_BITSET, 1, NULL, 0);
  printf("%ld,%d,%ld,%d", wait, wait_error == EINVAL, wake, errno == EINVAL);
  return 0;
}
static int bitset_wait(void) { return (int)futex(FUTEX_WAIT_BITSET, 0, NULL, 5); }
static int bitset_wake(void) { return (int)futex(FUTEX_WAKE_BITSET, 1, NULL, 6); }
static int requeue(void) { return (int)syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &a, 0); }
static int wake_op(void) { return (int)syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &a, 0); }
static int lock_pi(void) { return (int)syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0); }
/* As the kernel has it, a wake of fewer than one wakes one. */
static void* wait_for_ever(void* p) {
  futex(FUTEX_WAIT, 0, NULL, 0);
  return p;
}
static int wakes_none(void) {
  pthread_t t = start(wait_for_ever, 0);
  pthread_t u = start(wait_for_ever, 0);
  long first = futex(FUTEX_WAKE, 0, NULL, 0);
  long second = futex(FUTEX_WAKE, (unsigned)-1, NULL, 0);
  printf("%ld%ld", first, second);
  atomic_store(&word, 1);
  futex(FUTEX_WAKE, INT_MAX, NULL, 0);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
/* The time of FUTEX_WAIT is a distance, not a date: afterwards at least so much time has passed. */
static int relative_time(void) {
  struct timespec before, after, pause = {2, 0};
  clock_gettime(CLOCK_MONOTONIC, &before);
  const long result = futex(FUTEX_WAIT, 0, &pause, 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf("%ld,%d,%d", result, errno == ETIMEDOUT, after.tv_sec - before.tv_sec >= 2);
  return 0;
}

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "";
#define SCENARIO(NAME) \
  if (strcmp(scenario, #NAME) == 0) return NAME();
  SCENARIO(returns)
  SCENARIO(returns_early)
  SCENARIO(leaves_by_pthread_exit)
  SCENARIO(others_exit)
  SCENARIO(status_of_256)
  SCENARIO(exit_of_256)
  SCENARIO(exit_at_once)
  SCENARIO(exit_quickly)
  SCENARIO(all_cut)
  SCENARIO(range_misses)
  SCENARIO(some_cut)
  SCENARIO(bitset_any)
  SCENARIO(bitset_none)
  SCENARIO(bitset_wait)
  SCENARIO(bitset_wake)
  SCENARIO(requeue)
  SCENARIO(wake_op)
  SCENARIO(lock_pi)
  SCENARIO(wakes_none)
  SCENARIO(relative_time)
  fprintf(stderr, "no such scenario: %s\n", scenario);
  return 2;
}

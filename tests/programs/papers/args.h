/* What the programs here share: numbers from the command line, and threads without ceremony. */
#ifndef MAZURKA_TESTS_PAPERS_ARGS_H
#define MAZURKA_TESTS_PAPERS_ARGS_H
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

enum { kMost = 32 }; /* of anything that a parameter counts */

/* Not a part of what is explored: with --plain=explore an access to memory here would be a step. */
#define UNSEEN __attribute__((no_sanitize("thread")))

/* The n-th argument as a number, or `otherwise` where it is missing; ends the program where it is too large. */
UNSEEN static inline int number(int argc, char** argv, int n, int otherwise) {
  const int value = argc > n ? atoi(argv[n]) : otherwise;
  if (value < 0 || value > kMost) exit(2);
  return value;
}

/* Statements on variables of their thread alone. *Unfolding-based POR* counts each as an event; here they are none,
   unless the program is built to count them, as steps that nothing depends on. */
#ifdef COUNT_LOCALS
#define LOCALS(number) \
  for (int local = 0; local < (number); ++local) sched_yield()
#else
#define LOCALS(number) ((void)0)
#endif

UNSEEN static inline pthread_t spawn(void* (*body)(void*), int argument) {
  pthread_t thread;
  if (pthread_create(&thread, 0, body, (void*)(intptr_t)argument) != 0) abort();
  return thread;
}

/* A critical section with nothing in it. */
static inline void touch(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static inline void init_all(pthread_mutex_t* mutexes, int count) {
  for (int i = 0; i < count; ++i) pthread_mutex_init(&mutexes[i], 0);
}
#endif

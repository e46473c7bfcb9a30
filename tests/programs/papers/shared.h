/* Variables that threads share, one read or write a statement, as in *Unfolding-based POR*. */
#ifndef MAZURKA_TESTS_PAPERS_SHARED_H
#define MAZURKA_TESTS_PAPERS_SHARED_H
#include <assert.h>
#include <stdatomic.h>

#include "args.h"

#define SET(variable, value) atomic_store(&(variable), (value))
#define GET(variable) atomic_load(&(variable))

/* Runs two threads to their end. */
static inline int run_both(void* (*first)(void*), void* (*second)(void*)) {
  const pthread_t t1 = spawn(first, 0);
  const pthread_t t2 = spawn(second, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
#endif

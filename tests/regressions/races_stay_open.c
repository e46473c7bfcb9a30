/* Races that are redundant in one execution and not in a later one with the same beginning, because of a choice. */
#include <pthread.h>
#include <stdatomic.h>
#include "mazurka/mazurka.h"

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* signals_and_adds(void* unused) {
  (void)atomic_load(&x);
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  atomic_fetch_add(&x, 1);
  return unused;
}

static void* may_store(void* unused) {
  pthread_cond_signal(&c);
  if (mazurka_choose(2) == 1) x = 1;
  return unused;
}

static void* may_add(void* unused) {
  if (mazurka_choose(2) == 1 && mazurka_choose(2) == 1) atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, signals_and_adds, 0);
  pthread_create(&t, 0, may_store, 0);
  pthread_create(&t, 0, may_add, 0);
  return 0;
}

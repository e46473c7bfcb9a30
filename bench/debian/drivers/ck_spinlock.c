/* Concurrency Kit's spin locks, by trylock(): who gets the lock has it alone, and no increment is lost.
   -DLOCK=fas (fetch and store) or ticket. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

#define JOIN(a, b, c) a##b##c
#define NAME(a, b, c) JOIN(a, b, c)
#define THREADS 3

static NAME(ck_spinlock_, LOCK, _t) lock;
static int counter;

static void* work(void* unused) {
  if (!NAME(ck_spinlock_, LOCK, _trylock)(&lock)) return unused;
  ++counter;
  NAME(ck_spinlock_, LOCK, _unlock)(&lock);
  return &counter;
}

int main(void) {
  pthread_t threads[THREADS];
  NAME(ck_spinlock_, LOCK, _init)(&lock);
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, NULL);
  int successes = 0;
  for (int i = 0; i < THREADS; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    successes += result != NULL;
  }
  assert(counter == successes && successes >= 1);
}

/* PRODCONS of *Unfolding-based POR*: two producers and a consumer in endless loops, and one buffer under a mutex. With
   the argument 2 it is PRODCONS2, where each producer has a buffer of its own. With the argument 1 a producer forgets
   to look for room, and the buffer overflows. */
#include "shared.h"

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static int buffer1;
static int buffer2;
static int variant;

static void produce(pthread_mutex_t* mutex, int* buffer, int amount, int careless) {
  pthread_mutex_lock(mutex);
  if (*buffer < 6 || careless) *buffer += amount;
  assert(*buffer <= 7);
  pthread_mutex_unlock(mutex);
}

static void consume(pthread_mutex_t* mutex, int* buffer) {
  pthread_mutex_lock(mutex);
  if (*buffer > 0) *buffer -= 1;
  pthread_mutex_unlock(mutex);
}

static void* first(void* unused) {
  for (;;) produce(&m1, &buffer1, 1, 0);
  return unused;
}

static void* second(void* unused) {
  for (;;) {
    if (variant == 2)
      produce(&m2, &buffer2, 1, 0);
    else
      produce(&m1, &buffer1, 2, variant == 1);
  }
  return unused;
}

static void* consumer(void* unused) {
  for (;;) {
    consume(&m1, &buffer1);
    if (variant == 2) consume(&m2, &buffer2);
  }
  return unused;
}

int main(int argc, char** argv) {
  variant = number(argc, argv, 1, 0);
  pthread_t all[3];
  all[0] = spawn(first, 0);
  all[1] = spawn(second, 0);
  all[2] = spawn(consumer, 0);
  for (int i = 0; i < 3; ++i) pthread_join(all[i], 0);
  return 0;
}

/* PRODCONS of *Unfolding-based POR*: two producers and a consumer in endless loops, and one buffer under a mutex. With
   the argument 2 it is PRODCONS2, where each producer has a buffer of its own. With the argument 1 a producer forgets
   to look for room, and the buffer overflows. With the argument 3 it is PRODCONS2 in which all threads stand before
   their loops when the first of them goes on, as in models that have no steps for the creation of threads. */
#include <mazurka/mazurka.h>
#include <semaphore.h>

#include "shared.h"

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static int buffer1;
static int buffer2;
static int variant;
static sem_t ready;

static int has_two_buffers(void) { return variant >= 2; }

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

static void get_ready(void) {
  if (variant == 3) sem_post(&ready);
}

static void* first(void* unused) {
  get_ready();
  for (;;) produce(&m1, &buffer1, 1, 0);
  return unused;
}

static void* second(void* unused) {
  get_ready();
  for (;;) {
    if (has_two_buffers())
      produce(&m2, &buffer2, 1, 0);
    else
      produce(&m1, &buffer1, 2, variant == 1);
  }
  return unused;
}

static void* consumer(void* unused) {
  get_ready();
  for (;;) {
    consume(&m1, &buffer1);
    if (has_two_buffers()) consume(&m2, &buffer2);
  }
  return unused;
}

int main(int argc, char** argv) {
  variant = number(argc, argv, 1, 0);
  void* (*const bodies[3])(void*) = {first, second, consumer};
  pthread_t all[3];
  if (variant == 3) {
    sem_init(&ready, 0, 0);
    pthread_mutex_lock(&m1);
    pthread_mutex_lock(&m2);
  }
  for (int i = 0; i < 3; ++i) {
    all[i] = spawn(bodies[i], 0);
    if (variant == 3) sem_wait(&ready);
  }
  if (variant == 3) {
    mazurka_atomic_begin();
    pthread_mutex_unlock(&m1);
    pthread_mutex_unlock(&m2);
    mazurka_atomic_end();
  }
  for (int i = 0; i < 3; ++i) pthread_join(all[i], 0);
  return 0;
}

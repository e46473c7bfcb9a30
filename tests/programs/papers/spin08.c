/* SPIN08 of *Unfolding-based POR*: one thread adds three times, the other subtracts six times, under one mutex. */
#include "args.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int d;

static void* add(void* unused) {
  LOCALS(3); /* i = 0, presumably l = 0, the first i < N */
  for (int i = 0; i <= 10; i += 5) {
    pthread_mutex_lock(&mutex);
    d = d + i;
    pthread_mutex_unlock(&mutex);
    LOCALS(4); /* i = i + 5, presumably l = 0, goto, i < N */
  }
  return unused;
}

static void* subtract(void* unused) {
  LOCALS(3);
  for (int j = 0; j <= 10; j += 2) {
    pthread_mutex_lock(&mutex);
    d = d - j;
    pthread_mutex_unlock(&mutex);
    LOCALS(4);
  }
  return unused;
}

int main(void) {
  LOCALS(3); /* two threads, a mutex */
  const pthread_t t1 = spawn(add, 0);
  const pthread_t t2 = spawn(subtract, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}

/* Two rounds of a barrier: a thread that is late to leave the first does not care who arrives for the second. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void* run(void* unused) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
}

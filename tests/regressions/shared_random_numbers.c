/* Whoever asks first gets the first number of rand(). */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void* ask(void* unused) {
  rand();
  return unused;
}

int main(void) {
  pthread_t t;
  const int first = rand();
  srand(1);
  pthread_create(&t, 0, ask, 0);
  assert(rand() == first);
}

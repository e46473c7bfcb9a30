/* One thread ends the program, another chooses: whether it came to that decides how it ends, though a choice touches
 * nothing that is shared. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include <mazurka/mazurka.h>

static void* run(void* unused) {
  (void)unused;
  mazurka_yield();
  assert(mazurka_choose(2) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  exit(0);
}

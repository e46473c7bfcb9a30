/* An assumption that fails inside an atomic section, after a store in it: nobody sees the store. */
#include <mazurka/mazurka.h>
#include <pthread.h>
int x, y;
void* thread(void* unused) {
  mazurka_atomic_begin();
  x = 1;
  mazurka_assume(y == 1);
  x = 0;
  mazurka_atomic_end();
  return unused;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  mazurka_atomic_begin();
  int seen = x;
  mazurka_atomic_end();
  if (seen) __VERIFIER_error();
  return 0;
}

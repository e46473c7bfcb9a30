/* Where an assumption fails inside an atomic section the others go on: the error is reached, whoever runs first. */
#include <mazurka/mazurka.h>
#include <pthread.h>
int x, y;
void* waits(void* unused) {
  mazurka_atomic_begin();
  mazurka_assume(y == 1);
  x = 1;
  mazurka_atomic_end();
  return unused;
}
void* sets(void* unused) {
  mazurka_atomic_begin();
  y = 1;
  mazurka_atomic_end();
  mazurka_atomic_begin();
  int seen = x;
  mazurka_atomic_end();
  if (seen) __VERIFIER_error();
  return unused;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, sets, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

/* Two threads with NUM atomic sections each that touch the same variables: C(2 NUM, NUM) classes. */
#include <mazurka/mazurka.h>
#include <pthread.h>
int i = 1, j = 1;
void* first(void* unused) {
  for (int k = 0; k < NUM; k++) {
    mazurka_atomic_begin();
    i += j;
    mazurka_atomic_end();
  }
  return unused;
}
void* second(void* unused) {
  for (int k = 0; k < NUM; k++) {
    mazurka_atomic_begin();
    j += i;
    mazurka_atomic_end();
  }
  return unused;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

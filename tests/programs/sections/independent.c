/* Atomic sections of different variables are independent: one class. */
#include <mazurka/mazurka.h>
#include <pthread.h>
int i, j;
void* first(void* unused) {
  for (int k = 0; k < NUM; k++) {
    mazurka_atomic_begin();
    i++;
    mazurka_atomic_end();
  }
  return unused;
}
void* second(void* unused) {
  for (int k = 0; k < NUM; k++) {
    mazurka_atomic_begin();
    j++;
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

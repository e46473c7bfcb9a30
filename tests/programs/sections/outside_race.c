/* Sections that touch different variables order nothing: the plain accesses outside them race. */
#include <mazurka/mazurka.h>
#include <pthread.h>
int i, j, plain;
void* first(void* unused) {
  plain = 1;
  mazurka_atomic_begin();
  i++;
  mazurka_atomic_end();
  return unused;
}
void* second(void* unused) {
  mazurka_atomic_begin();
  j++;
  mazurka_atomic_end();
  plain = 2;
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

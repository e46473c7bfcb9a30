/* Functions named __VERIFIER_atomic_... are atomic sections, also where a compiler would expand them inline. */
#include <mazurka/mazurka.h>
#include <pthread.h>
int x;
static void __VERIFIER_atomic_increment(void) {
  int v = x;
  x = v + 1;
}
void* thread(void* unused) {
  __VERIFIER_atomic_increment();
  return unused;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, thread, 0);
  pthread_create(&b, 0, thread, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) __VERIFIER_error();
  return 0;
}

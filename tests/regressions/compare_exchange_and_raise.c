/* Two threads race for x, main looks at it meanwhile, and each thread then sends itself a signal, which is no step. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void handle(int number) { (void)number; }
static void* thread(void* number) {
  int expected = 0;
  atomic_compare_exchange_strong(&x, &expected, (int)(long)number);
  raise(SIGUSR1);
  return 0;
}

int main(void) {
  signal(SIGUSR1, handle);
  pthread_t a, b;
  pthread_create(&a, 0, thread, (void*)1);
  pthread_create(&b, 0, thread, (void*)2);
  const int seen = x;
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d %d\n", seen, x);
}

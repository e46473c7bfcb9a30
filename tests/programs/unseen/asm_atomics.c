/* Atomics by hand, as in libraries older than C11: the loads and stores are not seen, so neither is the lost update.
 * With -DLOCK they make a correct spin lock, which does not order the accesses that it protects in anybody's sight. */
#include <assert.h>
#include <pthread.h>

static int x;
static int load(int* p) {
  int v;
  __asm__ __volatile__("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
  return v;
}
static void store(int* p, int v) { __asm__ __volatile__("movl %1, %0" : "=m"(*p) : "r"(v) : "memory"); }
#ifdef LOCK
static int l;
static int exchange(int* p, int v) {
  __asm__ __volatile__("xchgl %0, %1" : "+r"(v), "+m"(*p)::"memory");
  return v;
}
#endif

static void* run(void* a) {
#ifdef LOCK
  while (exchange(&l, 1)) {
  }
  x++;
  store(&l, 0);
#else
  store(&x, load(&x) + 1);
#endif
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  assert(load(&x) == 2);
}

/* Loops that remember what they read before: the third value after the first two is a bug, which is lost if what they
   remember is taken for something that does not matter. KIND 0: it is looked at on the way to where it is overwritten;
   1 and 2: it is overwritten on one of two ways, and looked at on the other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void* look(void* argument) {
  int before = 0;
  for (;;) {
    const int now = atomic_load(&x);
#if KIND == 0
    const int was = before;
    before = now;
    assert(!(was == 1 && now == 2));
#elif KIND == 1
    if (now == 1)
      before = 1;
    else
      assert(!(before == 1 && now == 2));
#else
    if (now != 1)
      assert(!(before == 1 && now == 2));
    else
      before = 1;
#endif
    if (now == 3) return argument;
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  for (int i = 1; i <= 3; ++i) atomic_store(&x, i);
  pthread_join(thread, 0);
}

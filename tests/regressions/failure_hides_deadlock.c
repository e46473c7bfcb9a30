/* The first thread fails by itself, at once if nobody is in its way; what the second would have done next is then not
   seen, and with it the deadlock: it takes the lock and keeps it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void* fails(void* unused) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  return unused;
}

static void* keeps(void* unused) {
  (void)atomic_load(&x);
  (void)atomic_load(&x);
  pthread_rwlock_tryrdlock(&l);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, fails, 0);
  pthread_create(&t[1], 0, keeps, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}

/* One thread unlocks what only another one holds: wrong, whoever comes first. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* read_something(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, read_something, 0);
  pthread_rwlock_unlock(&lock);
}

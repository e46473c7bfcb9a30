/* A writer gets in before two readers that never leave only if both stay away at once. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* reader(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  return 0;
}

static void* writer(void* unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  pthread_create(&thread, 0, reader, 0);
  pthread_create(&thread, 0, writer, 0);
  return 0;
}

/* Who opens a named semaphore first says what it begins with. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void* open_empty(void* unused) {
  sem_open("/mazurka-test", O_CREAT, 0600, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, open_empty, 0);
  sem_t* semaphore = sem_open("/mazurka-test", O_CREAT, 0600, 1);
  assert(sem_trywait(semaphore) == 0);
}

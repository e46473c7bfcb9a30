#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int message;

static void* send(void* unused) {
  (void)unused;
  message = 7;
  sem_post(&ready);
  return 0;
}

int main(void) {
  pthread_t sender;
  sem_init(&ready, 0, 0);
  pthread_create(&sender, 0, send, 0);
  sem_wait(&ready);
  assert(message == 7);
  pthread_join(sender, 0);
  return 0;
}

/* Concurrency Kit's ring, one producer and one consumer: first in, first out, nothing lost. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[3] = {1, 2, 3};

static void* produce(void* unused) {
  for (int i = 0; i < 3; ++i) {
    bool enqueued = ck_ring_enqueue_spsc(&ring, buffer, &values[i]);
    assert(enqueued); /* it holds three */
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  void* found = NULL;
  int expected = 1;
  ck_ring_init(&ring, 4);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < 3; ++i)
    if (ck_ring_dequeue_spsc(&ring, buffer, &found)) assert(*(int*)found == expected++);
  pthread_join(producer, NULL);
  while (ck_ring_dequeue_spsc(&ring, buffer, &found)) assert(*(int*)found == expected++);
  assert(expected == 4);
}

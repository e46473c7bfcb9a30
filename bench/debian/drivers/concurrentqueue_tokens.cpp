// moodycamel::ConcurrentQueue with a token for the producer and one for each consumer: two consumers share what a
// producer enqueues in bulk; nothing is lost or comes twice.
#include <cassert>
#include <thread>

#include <concurrentqueue/concurrentqueue.h>

int main() {
  moodycamel::ConcurrentQueue<int> queue(8, 1, 0);
  int taken[2] = {0, 0};
  std::thread consumer([&] {
    moodycamel::ConsumerToken token(queue);
    int value = 0;
    if (queue.try_dequeue(token, value)) taken[0] += value;
  });
  moodycamel::ProducerToken producer(queue);
  const int values[2] = {1, 2};
  queue.enqueue_bulk(producer, values, 2);
  moodycamel::ConsumerToken token(queue);
  int value = 0;
  if (queue.try_dequeue(token, value)) taken[1] += value;
  consumer.join();
  while (queue.try_dequeue(token, value)) taken[1] += value;
  assert(taken[0] + taken[1] == 3);
}

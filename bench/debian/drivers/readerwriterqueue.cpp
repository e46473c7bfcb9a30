// moodycamel::ReaderWriterQueue: one producer, one consumer. First in, first out, nothing lost; try_enqueue refuses
// where the queue would have to grow.
#include <cassert>
#include <thread>

#include <readerwriterqueue/readerwriterqueue.h>

int main() {
  moodycamel::ReaderWriterQueue<int> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 4; ++i) {
      const bool enqueued = queue.enqueue(i);
      assert(enqueued);
    }
  });
  int value = 0, expected = 1;
  for (int i = 0; i < 3; ++i)
    if (queue.try_dequeue(value)) assert(value == expected++);
  producer.join();
  while (queue.try_dequeue(value)) assert(value == expected++);
  assert(expected == 5);
}

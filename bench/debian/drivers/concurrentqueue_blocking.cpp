// moodycamel::BlockingConcurrentQueue: a consumer waits for what a producer enqueues; each value arrives, in order.
#include <cassert>
#include <thread>

#include <concurrentqueue/blockingconcurrentqueue.h>

// Look once, not 10,000 times, before waiting.
struct Traits : moodycamel::ConcurrentQueueDefaultTraits {
  static const int MAX_SEMA_SPINS = 1;
};

int main() {
  moodycamel::BlockingConcurrentQueue<int, Traits> queue(4, 0, 1);
  std::thread producer([&] {
    queue.enqueue(1);
    queue.enqueue(2);
  });
  int first = 0, second = 0;
  queue.wait_dequeue(first);
  queue.wait_dequeue(second);
  producer.join();
  assert(first == 1 && second == 2);
  assert(!queue.try_dequeue(first));
}

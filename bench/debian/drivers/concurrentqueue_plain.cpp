// moodycamel::ConcurrentQueue without tokens: two producers, main consumes. Nothing is lost, and each producer's values
// come in its order.
#include <cassert>
#include <thread>

#include <concurrentqueue/concurrentqueue.h>

int main() {
  moodycamel::ConcurrentQueue<int> queue(8, 0, 2);
  std::thread one([&] {
    queue.enqueue(1);
    queue.enqueue(2);
  });
  std::thread other([&] { queue.enqueue(10); });
  int value = 0, sum = 0, last = 0;
  auto take = [&] {
    if (!queue.try_dequeue(value)) return false;
    if (value < 10) {
      assert(value == last + 1);
      last = value;
    }
    sum += value;
    return true;
  };
  take();
  one.join();
  other.join();
  while (take()) {
  }
  assert(sum == 13);
}

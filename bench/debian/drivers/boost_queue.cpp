// Boost.Lockfree's queue: two producers, main consumes. Nothing is lost or comes twice, and what one producer pushed
// comes in its order. With -DONE_EACH every producer pushes one value.
#include <cassert>
#include <thread>

#include <boost/lockfree/queue.hpp>

#ifdef ONE_EACH
constexpr int kPushed = 1;
#else
constexpr int kPushed = 2;
#endif

int main() {
  boost::lockfree::queue<int> queue(4);
  auto produce = [&queue](int first, int count) {
    for (int i = 0; i < count; ++i) {
      const bool pushed = queue.push(first + i);
      assert(pushed);
    }
  };
  std::thread one(produce, 10, kPushed);
  std::thread other(produce, 20, 1);
  int value = 0, taken = 0, sum = 0, last = 0;
  while (queue.pop(value)) {  // whatever has come by now
    if (value < 20) {
      assert(value > last);
      last = value;
    }
    sum += value;
    ++taken;
  }
  one.join();
  other.join();
  for (; queue.pop(value); ++taken) {
    if (value < 20) {
      assert(value > last);
      last = value;
    }
    sum += value;
  }
  assert(taken == kPushed + 1 && sum == (kPushed == 1 ? 10 : 10 + 11) + 20);
}

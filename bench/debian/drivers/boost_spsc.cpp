// Boost.Lockfree's ring for one producer and one consumer: first in, first out, nothing lost; a full ring refuses.
#include <cassert>
#include <thread>

#include <boost/lockfree/spsc_queue.hpp>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> ring;
  int pushed = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 4; ++i)
      if (ring.push(pushed + 1)) ++pushed;
  });
  int value = 0, expected = 1;
  for (int i = 0; i < 4; ++i)
    if (ring.pop(value)) assert(value == expected++);
  producer.join();
  while (ring.pop(value)) assert(value == expected++);
  assert(expected == pushed + 1 && pushed >= 2);
}

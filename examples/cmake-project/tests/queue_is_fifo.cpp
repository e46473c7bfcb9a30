#include <cassert>
#include <thread>

#include "bounded_queue.hpp"

int main() {
  BoundedQueue<2> queue;
  std::thread producer([&] {
    queue.put(1);
    queue.put(2);
  });
  assert(queue.take() == 1);
  assert(queue.take() == 2);
  producer.join();
}

// Two consumers and one producer on one condition variable: a signal that was meant for the producer may wake the other
// consumer, who finds nothing and goes to sleep again, and then everybody sleeps.
#include <thread>

#include "bounded_queue.hpp"

int main() {
  BoundedQueue<1> queue;
  std::thread first([&] { queue.take(); });
  std::thread second([&] { queue.take(); });
  queue.put(1);
  queue.put(2);
  first.join();
  second.join();
}

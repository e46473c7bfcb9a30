// Boost.Lockfree's stack: two threads push and pop. Each value comes out exactly once.
#include <atomic>
#include <cassert>
#include <thread>

#include <boost/lockfree/stack.hpp>

int main() {
  boost::lockfree::stack<int> stack(4);
  std::atomic<int> sum{0};
  auto work = [&](int value) {
    const bool pushed = stack.push(value);
    assert(pushed);
    int found = 0;
    if (stack.pop(found)) sum += found;
  };
  std::thread one(work, 1);
  std::thread other(work, 2);
  one.join();
  other.join();
  int value = 0, rest = 0;
  while (stack.pop(value)) rest += value;
  assert(sum + rest == 3);
  assert(rest == 0);  // each thread pushes before it pops, so it finds something
}

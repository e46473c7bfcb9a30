// An update is lost in a function without instrumentation. gcc leaves out its atomics, clang only its plain accesses.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x{0};
int y = 0;
__attribute__((no_sanitize("thread"))) void increment() {
#ifdef PLAIN
  y = y + 1;
#else
  const int v = x.load();
  x.store(v + 1);
#endif
}

int main() {
  std::thread t(increment);
#ifdef PLAIN
  t.join();
  increment();
  assert(y == 2);
#else
  increment();
  t.join();
  assert(x.load() == 2);
#endif
}

// With -DLIBRARY a library, else a program that uses it: two threads may be given the same number.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef LIBRARY
std::atomic<int> counter{0};
int increment() {
  const int v = counter.load();
  counter.store(v + 1);
  return v + 1;
}
#else
int increment();
int main() {
  int r = 0;
  std::thread t([&] { r = increment(); });
  const int q = increment();
  t.join();
  assert(q != r);
}
#endif

// With --exit=process the end of main races with every step of the others.
#include <atomic>
#include <cstdlib>
#include <thread>
std::atomic<int> x{0};
int main() {
  std::thread t([] {
    x.store(1);
    if (x.load() == 1) std::abort();
  });
  t.detach();
  x.load();
}

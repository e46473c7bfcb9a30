// Nine std::threads in a vector, thread-local data, one atomic.
#include <atomic>
#include <thread>
#include <vector>

namespace {
std::atomic<int> x;
thread_local int local = 5;
}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 9; ++i)
    threads.emplace_back([i] {
      local += i;
      x.store(local);
    });
  for (auto& thread : threads) thread.join();
  return x.load() == 0;
}

// A thread prepares a value and raises a flag; another sees the flag and reads the value. The flag is atomic, but
// relaxed: it does not order the two accesses to the value, so that they race.
#include <atomic>
#include <cstdio>
#include <thread>

int value = 0;
std::atomic<bool> ready{false};

void prepare() {
  value = 42;
  ready.store(true, std::memory_order_relaxed);
}

void use() {
  if (ready.load(std::memory_order_relaxed)) std::printf("%d\n", value);
}

int main() {
  std::thread writer(prepare);
  std::thread reader(use);
  writer.join();
  reader.join();
}

// oneTBB's concurrent containers: two threads push into a queue and a vector and add to a map. Nothing is lost; the
// queue keeps each thread's order.
#include <cassert>
#include <thread>

#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/concurrent_vector.h>

int main() {
#if defined(QUEUE)
  tbb::concurrent_queue<int> queue;
  std::thread other([&] {
    queue.push(1);
    queue.push(2);
  });
  queue.push(10);
  int value = 0, sum = 0, last = 0;
  auto take = [&] {
    if (!queue.try_pop(value)) return false;
    if (value < 10) {
      assert(value == last + 1);
      last = value;
    }
    sum += value;
    return true;
  };
  take();
  other.join();
  while (take()) {
  }
  assert(sum == 13);
#elif defined(VECTOR)
  tbb::concurrent_vector<int> vector;
  std::thread other([&] { vector.push_back(1); });
  vector.push_back(2);
  other.join();
  assert(vector.size() == 2 && vector[0] + vector[1] == 3);
#else
  tbb::concurrent_hash_map<int, int> map;
  auto add = [&](int key) {
    tbb::concurrent_hash_map<int, int>::accessor entry;
    map.insert(entry, key);
    entry->second += 1;
  };
  std::thread other(add, 1);
  add(1);
  other.join();
  tbb::concurrent_hash_map<int, int>::const_accessor entry;
  const bool found = map.find(entry, 1);
  assert(found && entry->second == 2 && map.size() == 1);
#endif
}

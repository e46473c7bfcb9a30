// oneTBB's concurrent containers: two threads push into a queue and a vector and insert the same key into a map.
// Nothing is lost; the queue keeps each thread's order; one thread inserts, and its value is found.
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
  map.insert({2, 0});  // sets up the allocator, and the first buckets
  bool inserted[2] = {};
  auto insert = [&](int value) { inserted[value] = map.insert({1, value}); };
  std::thread other(insert, 1);
  insert(0);
  other.join();
  assert(inserted[0] != inserted[1]);
  tbb::concurrent_hash_map<int, int>::const_accessor entry;
  const bool found = map.find(entry, 1);
  assert(found && inserted[entry->second] && map.size() == 2);
#endif
}

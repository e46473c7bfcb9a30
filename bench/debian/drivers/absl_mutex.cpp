// Abseil's Mutex: two threads add under the lock, one awaits a condition. No addition is lost, and the
// condition holds when the consumer goes on.
#include <cassert>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl_environment.hpp"

int main() {
  absl::Mutex mutex;
  int sum = 0;
  prepare_main_thread();
  std::thread producer([&] {
    absl::MutexLock lock(&mutex);
    sum += 2;
  });
  {
    absl::MutexLock lock(&mutex);
    sum += 1;
    mutex.Await(absl::Condition(
        +[](int* value) { return *value >= 2; }, &sum));
    assert(sum == 3);
  }
  producer.join();
}

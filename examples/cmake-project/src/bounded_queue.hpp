// A queue with a place for one element. `Conditions` is 2 for one condition variable each for those who put and those
// who take, and 1 for one that both share.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

template <int Conditions>
class BoundedQueue {
 public:
  void put(int value) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (element_) condition(0).wait(lock);
    element_ = value;
    condition(1).notify_one();
  }

  int take() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!element_) condition(1).wait(lock);
    const int value = *element_;
    element_.reset();
    condition(0).notify_one();
    return value;
  }

 private:
  std::condition_variable& condition(int i) { return conditions_[i % Conditions]; }

  std::mutex mutex_;
  std::condition_variable conditions_[Conditions];
  std::optional<int> element_;
};

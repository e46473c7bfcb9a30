// A value that is made when it is first asked for, by whoever asks first.
#pragma once

#include <atomic>
#include <mutex>

template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make&& make) {
    if (!ready_.load(std::memory_order_acquire)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!ready_.load(std::memory_order_relaxed)) {
        value_ = make();
        ready_.store(true, std::memory_order_release);
      }
    }
    return value_;
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> ready_{false};
  T value_{};
};

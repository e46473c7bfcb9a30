#include "program/lasting_thread.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace mazurka::program {
namespace {

class LastingThread {
 public:
  LastingThread() {
    std::thread([this] { serve(); }).detach();
  }

  void run(const std::function<void()>& call) {
    std::packaged_task<void()> task(call);
    std::future<void> done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    arrived_.notify_one();
    done.get();
  }

 private:
  [[noreturn]] void serve() {
    for (;;) {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::packaged_task<void()>> tasks_;
};

}  // namespace

void run_on_lasting_thread(const std::function<void()>& call) {
  static LastingThread& thread = *new LastingThread;  // which is never destroyed, since it runs until the end
  thread.run(call);
}

}  // namespace mazurka::program

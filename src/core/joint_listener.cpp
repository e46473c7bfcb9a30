#include "core/joint_listener.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mazurka {
namespace {

using Clock = std::chrono::steady_clock;

/// What all parts share.
struct Joint {
  Joint(Listener& all, std::size_t count) : listener(all), statistics(count) {}

  Statistics total() const {
    Statistics all;
    for (const Statistics& one : statistics) all.add(one);
    return all;
  }

  std::mutex mutex;
  Listener& listener;
  std::vector<Statistics> statistics;
  std::atomic<bool> goes_on = true;
};

class Part final : public Listener {
 public:
  Part(Joint& joint, std::size_t number) : joint_(joint), number_(number) {}

  void on_execution(const Execution& execution) override {
    const std::lock_guard lock(joint_.mutex);
    joint_.listener.on_execution(execution);
  }
  bool on_error(const Execution& execution, std::uint64_t number) override {
    const std::lock_guard lock(joint_.mutex);
    if (!joint_.listener.on_error(execution, number)) joint_.goes_on = false;
    return joint_.goes_on;
  }
  bool deadlocks_fail() const override { return joint_.listener.deadlocks_fail(); }
  void on_cut(const Execution& execution) override {
    const std::lock_guard lock(joint_.mutex);
    joint_.listener.on_cut(execution);
  }
  bool on_progress(const Statistics& statistics) override {
    latest_ = statistics;
    // The listener need not hear of every execution: it is one for all of them.
    constexpr auto kBetween = std::chrono::milliseconds(2);
    const Clock::time_point now = Clock::now();
    if (now - last_ < kBetween) return joint_.goes_on;
    last_ = now;
    const std::lock_guard lock(joint_.mutex);
    joint_.statistics[number_] = statistics;
    if (!joint_.listener.on_progress(joint_.total())) joint_.goes_on = false;
    return joint_.goes_on;
  }
  /// What it was told last.
  const Statistics& latest() const { return latest_; }

 private:
  Joint& joint_;
  std::size_t number_;
  Clock::time_point last_;
  Statistics latest_;
};

}  // namespace

void run_jointly(Listener& listener, std::size_t count, const std::function<void(std::size_t, Listener&)>& explore,
                 const std::function<void()>& stop) {
  Joint joint(listener, count);
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      Part part(joint, i);
      try {
        explore(i, part);
      } catch (...) {
        const std::lock_guard lock(joint.mutex);
        if (!failure) failure = std::current_exception();
        stop();
      }
      const std::lock_guard lock(joint.mutex);
      joint.statistics[i] = part.latest();
    });
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  listener.on_progress(joint.total());
}

}  // namespace mazurka

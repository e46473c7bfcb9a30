// Loops that wait with a time-out, look, and wait again. The argument names the scenario;
// tests/explorers/timed_waits_test.cpp has what is expected of each.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
std::condition_variable other_changed;
bool stop;
bool stopped_again;
int items;
std::atomic<bool> flag;

void set_stop() {
  const std::lock_guard<std::mutex> lock(mutex);
  stop = true;
}

/// A worker with a predicate, which takes the lock for every wait.
void poll_with_predicate() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    if (changed.wait_for(lock, 10s, [] { return stop; })) return;
  }
}

int predicate() {
  std::thread worker(poll_with_predicate);
  set_stop();
  changed.notify_one();
  worker.join();
  return 0;
}

int two_workers() {
  std::thread first(poll_with_predicate);
  std::thread second(poll_with_predicate);
  set_stop();
  changed.notify_all();
  first.join();
  second.join();
  return 0;
}

/// The lock is kept from wait to wait.
int one_lock() {
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!stop) changed.wait_for(lock, 10ms);
  });
  set_stop();
  changed.notify_one();
  worker.join();
  return 0;
}

int stop_token() {
  std::jthread worker([](const std::stop_token& token) {
    while (!token.stop_requested()) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait_for(lock, 10ms);
    }
  });
  return 0;
}

int atomic_flag() {
  std::thread worker([] {
    while (!flag.load()) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait_for(lock, 10ms);
    }
  });
  flag.store(true);
  worker.join();
  return 0;
}

/// Nobody signals: only the time-out ends the wait.
int lost_wake_up() {
  std::thread worker(poll_with_predicate);
  set_stop();
  worker.join();
  return 0;
}

/// Goes wrong only if the worker times out, and comes back after that.
int after_the_time_out() {
  static bool is_waiting = false;
  static int result = 0;
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    is_waiting = true;
    while (!stop)
      if (changed.wait_for(lock, 10ms) == std::cv_status::timeout && items == 1) {
        result = 3;
        return;
      }
  });
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (is_waiting) items = 1;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex);
    items = 0;
    stop = true;
  }
  changed.notify_one();
  worker.join();
  return result;
}

/// A signal that comes between a time-out and the next wait wakes nobody, and nobody times out on the second variable.
int signal_in_between() {
  static bool seen = false;
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!stop) changed.wait_for(lock, 10ms);
    if (seen) std::_Exit(4);
  });
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
    if (!stop) {
      changed.wait_for(lock, 10ms);
      seen = stop;
    }
  });
  set_stop();
  changed.notify_one();
  worker.join();
  waiter.join();
  return 0;
}

/// For spurious wake-ups.
int untimed() {
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return stop; });
  });
  set_stop();
  changed.notify_one();
  worker.join();
  return 0;
}

/// Nobody stops it.
int never_stopped() {
  std::thread worker(poll_with_predicate);
  worker.join();
  return 0;
}

/// A round with an effect is not idle: the worker counts. The number ends the program.
int counts() {
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (items < 3 && !stop) {
      changed.wait_for(lock, 10ms);
      ++items;
    }
  });
  set_stop();
  worker.join();
  return items;
}

/// The same where nothing of the count is left in registers or on the stack.
__attribute__((noinline)) void count_round() { ++items; }
__attribute__((noinline)) bool has_enough() { return items == 3 || stop; }
int counts_elsewhere() {
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!has_enough()) {
      changed.wait_for(lock, 10ms);
      count_round();
    }
  });
  set_stop();
  worker.join();
  return items;
}

/// A wait that comes after one that was signalled has its time-out, in the same state or not: nothing else ends it.
int signalled_until_time_out() {
  std::thread worker([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (changed.wait_for(lock, 10ms) == std::cv_status::no_timeout) {
    }
  });
  for (int i = 0; i < 3; ++i) changed.notify_one();
  worker.join();
  return 0;
}

/// Each of two loops shows the other that it has come round.
int both_poll() {
  std::thread first([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!stop) changed.wait_for(lock, 10ms);
    stopped_again = true;
  });
  std::thread second([] {
    std::unique_lock<std::mutex> lock(mutex);
    stop = true;
    while (!stopped_again) other_changed.wait_for(lock, 10ms);
  });
  first.join();
  second.join();
  return 0;
}

/// A try to lock that fails sees a round.
int failed_try() {
  static bool failed = false;
  std::thread worker(poll_with_predicate);
  if (mutex.try_lock())
    mutex.unlock();
  else
    failed = true;
  set_stop();
  worker.join();
  return failed ? 5 : 0;
}

int futex() {
  static std::atomic<int> word;
  std::thread worker([] {
    const timespec time{0, 1000};
    while (word.load() == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, nullptr, 0);
  });
  word.store(1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  worker.join();
  return 0;
}

int future() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([&] { promise.set_value(6); });
  while (result.wait_for(1ms) != std::future_status::ready) {
  }
  worker.join();
  return result.get() - 6;
}

/// Nobody keeps the promise.
int future_in_vain() {
  std::promise<int> promise;
  const std::future<int> result = promise.get_future();
  while (result.wait_for(1ms) != std::future_status::ready) {
  }
  return 0;
}

int semaphore() {
  static std::counting_semaphore<4> permits{0};
  std::thread worker([] { permits.release(); });
  while (!permits.try_acquire_for(1ms)) {
  }
  worker.join();
  return 0;
}

/// Nobody releases it.
int semaphore_in_vain() {
  std::counting_semaphore<4> permits{0};
  while (!permits.try_acquire_for(1ms)) {
  }
  return 0;
}

int timed_mutex() {
  static std::timed_mutex timed;
  std::thread worker([] {
    const std::lock_guard<std::timed_mutex> lock(timed);
    ++items;
  });
  while (!timed.try_lock_for(1ms)) {
  }
  ++items;
  timed.unlock();
  worker.join();
  return items == 2 ? 0 : 1;
}

int shared_timed_mutex() {
  static std::shared_timed_mutex timed;
  std::thread worker([] {
    const std::lock_guard<std::shared_timed_mutex> lock(timed);
    ++items;
  });
  while (!timed.try_lock_shared_for(1ms)) {
  }
  timed.unlock_shared();
  while (!timed.try_lock_for(1ms)) {
  }
  ++items;
  timed.unlock();
  worker.join();
  return items == 2 ? 0 : 1;
}

/// Nobody wakes the waiter if the worker is woken by the only signal, finds nothing, waits again, and then times out:
/// that wait must have its time-out, since the one before it ended by a signal.
int signalled_before() {
  static bool is_waiting = false;
  std::thread worker([] {
    std::cv_status last = std::cv_status::no_timeout;
    {
      std::unique_lock<std::mutex> lock(mutex);
      while (!stop) last = changed.wait_for(lock, 10ms);
    }
    if (last == std::cv_status::no_timeout) changed.notify_all();
  });
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
    is_waiting = true;
    changed.wait(lock);
  });
  for (bool is_ready = false; !is_ready;) {
    const std::lock_guard<std::mutex> lock(mutex);
    is_ready = is_waiting;
  }
  changed.notify_one();
  set_stop();
  worker.join();
  waiter.join();
  return 0;
}

/// The program asks for the time itself: the loop ends after so much of it, whatever others do.
int until_deadline() {
  const auto end = std::chrono::steady_clock::now() + 25ms;
  std::unique_lock<std::mutex> lock(mutex);
  while (std::chrono::steady_clock::now() < end) changed.wait_for(lock, 10ms);
  return 0;
}

/// The predicate does.
int predicate_asks() {
  const auto end = std::chrono::steady_clock::now() + 25ms;
  std::unique_lock<std::mutex> lock(mutex);
  while (!changed.wait_for(lock, 10ms, [&] { return std::chrono::steady_clock::now() >= end; })) {
  }
  return 0;
}

const std::map<std::string, int (*)()> kScenarios = {{"predicate", predicate},
                                                     {"two_workers", two_workers},
                                                     {"one_lock", one_lock},
                                                     {"stop_token", stop_token},
                                                     {"atomic_flag", atomic_flag},
                                                     {"lost_wake_up", lost_wake_up},
                                                     {"after_the_time_out", after_the_time_out},
                                                     {"signal_in_between", signal_in_between},
                                                     {"untimed", untimed},
                                                     {"never_stopped", never_stopped},
                                                     {"counts", counts},
                                                     {"counts_elsewhere", counts_elsewhere},
                                                     {"signalled_until_time_out", signalled_until_time_out},
                                                     {"both_poll", both_poll},
                                                     {"failed_try", failed_try},
                                                     {"futex", futex},
                                                     {"future", future},
                                                     {"future_in_vain", future_in_vain},
                                                     {"semaphore", semaphore},
                                                     {"semaphore_in_vain", semaphore_in_vain},
                                                     {"timed_mutex", timed_mutex},
                                                     {"shared_timed_mutex", shared_timed_mutex},
                                                     {"signalled_before", signalled_before},
                                                     {"until_deadline", until_deadline},
                                                     {"predicate_asks", predicate_asks}};

}  // namespace

int main(int count, char** arguments) { return count < 2 ? 1 : kScenarios.at(arguments[1])(); }

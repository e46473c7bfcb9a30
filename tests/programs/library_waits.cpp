// Waits of the C++ library, which looks a few times before it blocks. The argument names the scenario;
// tests/explorers/library_waits_test.cpp has the executions of each.
#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <map>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>

namespace {

std::atomic<int> number;
std::counting_semaphore<4> permits{0};

int wait() {
  std::thread other([] {
    number.store(1);
    number.notify_one();
  });
  number.wait(0);
  other.join();
  return 0;
}

int latch() {
  std::latch both(2);
  std::thread a([&] { both.count_down(); });
  std::thread b([&] { both.count_down(); });
  both.wait();
  a.join();
  b.join();
  return 0;
}

int semaphore() {
  std::thread other([] { permits.release(); });
  permits.acquire();
  other.join();
  return 0;
}

int timed_semaphore() {
  std::thread other([] { permits.release(); });
  const bool in_time = permits.try_acquire_for(std::chrono::milliseconds(1));
  other.join();
  return in_time ? 0 : 3;
}

int barrier() {
  std::barrier both(2);
  std::thread other([&] { both.arrive_and_wait(); });
  both.arrive_and_wait();
  other.join();
  return 0;
}

int stop_token() {
  std::jthread other([](const std::stop_token& token) {
    while (!token.stop_requested()) {
    }
  });
  return 0;
}

/// Both sides lock the state of the token, one to register a callback and one to call it.
int stop_callback() {
  std::atomic<int> calls = 0;
  {
    std::jthread other([&](const std::stop_token& token) {
      const std::stop_callback callback(token, [&] { ++calls; });
      while (!token.stop_requested()) std::this_thread::yield();
    });
  }
  return calls == 1 ? 0 : 4;
}

int shared_pointer() {
  std::atomic<std::shared_ptr<int>> pointer{std::make_shared<int>(1)};
  std::thread other([&] { pointer.store(std::make_shared<int>(2)); });
  const std::shared_ptr<int> found = pointer.load();
  other.join();
  return 10 + *found;
}

/// The value is there for a moment only: who does not see it waits for ever.
int for_a_moment() {
  std::thread other([] {
    number.store(1);
    number.notify_one();
    number.store(0);
  });
  number.wait(0);
  other.join();
  return 0;
}

/// What is there after the wait depends on when it ends.
int after_the_wait() {
  std::thread other([] {
    number.store(1);
    number.notify_one();
    number.store(2);
    number.store(3);
  });
  number.wait(0);
  const int seen = number.load();
  other.join();
  return 10 + seen;
}

/// Nobody says that the value has changed.
int not_notified() {
  std::thread other([] { number.store(1); });
  number.wait(0);
  other.join();
  return 0;
}

/// A permit that two threads want.
int one_permit() {
  std::thread other([] { permits.acquire(); });
  permits.release();
  permits.acquire();
  other.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, int (*)()> scenarios = {{"wait", wait},
                                                      {"latch", latch},
                                                      {"semaphore", semaphore},
                                                      {"timed_semaphore", timed_semaphore},
                                                      {"barrier", barrier},
                                                      {"stop_token", stop_token},
                                                      {"stop_callback", stop_callback},
                                                      {"shared_pointer", shared_pointer},
                                                      {"for_a_moment", for_a_moment},
                                                      {"after_the_wait", after_the_wait},
                                                      {"not_notified", not_notified},
                                                      {"one_permit", one_permit}};
  return argc > 1 && scenarios.contains(argv[1]) ? scenarios.at(argv[1])() : 2;
}

// One scenario per part of the C++ standard library, chosen by the first argument. What main prints at its end, over
// all schedules, is what src/program/programs_test.cpp expects.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <future>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;

std::mutex m;
int x;
std::atomic<int> a;

void threads() {
  std::vector<std::thread> pool;
  for (int i = 1; i <= 2; ++i)
    pool.emplace_back([i] {
      std::lock_guard guard(m);
      x = x * 10 + i;
    });
  for (auto& thread : pool) thread.join();
  std::cout << x;
}

void joining() {
  {
    std::jthread worker([](std::stop_token token) { x = token.stop_requested() ? 1 : 2; });
  }
  std::cout << x;
}

void mutexes() {
  std::timed_mutex timed;
  std::recursive_mutex recursive;
  std::thread worker([&] {
    std::scoped_lock both(recursive, m);
    std::lock_guard again(recursive);
    std::unique_lock lock(timed, 10ms);
    a.fetch_add(lock ? 1 : 10);
  });
  {
    std::unique_lock lock(timed, std::try_to_lock);
    a.fetch_add(lock ? 1 : 10);
  }
  worker.join();
  std::cout << a;
}

void shared() {
  std::shared_mutex mutex;
  std::thread writer([&] {
    std::unique_lock lock(mutex);
    x = 1;
  });
  {
    std::shared_lock lock(mutex);
    a = x;
  }
  writer.join();
  std::cout << a;
}

void conditions() {
  std::condition_variable ready;
  bool set = false;
  std::thread waiter([&] {
    std::unique_lock lock(m);
    ready.wait(lock, [&] { return set; });
    x = 1;
  });
  {
    std::lock_guard guard(m);
    set = true;
  }
  ready.notify_one();
  waiter.join();
  std::cout << x;
}

void timed_conditions() {
  std::condition_variable ready;
  bool set = false;
  std::thread waiter([&] {
    std::unique_lock lock(m);
    x = ready.wait_for(lock, 1s, [&] { return set; }) ? 1 : 2;
  });
  {
    std::lock_guard guard(m);
    set = true;
  }
  ready.notify_one();
  waiter.join();
  std::cout << x;
}

void any_conditions() {
  std::condition_variable_any ready;
  std::shared_mutex mutex;
  std::jthread waiter([&](std::stop_token token) {
    std::unique_lock lock(mutex);
    x = ready.wait(lock, token, [] { return false; }) ? 1 : 2;
  });
  waiter.request_stop();
  waiter.join();
  std::cout << x;
}

void futures() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([&promise] { promise.set_value(5); });
  x = future.get();
  worker.join();
  std::cout << x;
}
void asynchronous() {
  auto future = std::async(std::launch::async, [] { return 7; });
  std::cout << future.get();
}
void packaged() {
  std::packaged_task<int(int)> task([](int n) { return n + 1; });
  auto future = task.get_future();
  std::thread worker(std::move(task), 3);
  std::cout << future.get();
  worker.join();
}
void broken() {
  std::future<int> future;
  {
    std::promise<int> promise;
    future = promise.get_future();
  }
  try {
    future.get();
  } catch (const std::future_error& error) {
    std::cout << (error.code() == std::future_errc::broken_promise);
  }
}

void latches() {
  std::latch latch(2);
  std::thread worker([&] {
    a.fetch_add(1);
    latch.count_down();
  });
  latch.arrive_and_wait();
  std::cout << a;
  worker.join();
}
void barriers() {
  std::barrier barrier(2, []() noexcept { ++x; });
  std::thread worker([&] { barrier.arrive_and_wait(); });
  barrier.arrive_and_wait();
  std::cout << x;
  worker.join();
}
void semaphores() {
  std::counting_semaphore<4> semaphore(0);
  std::thread worker([&] {
    x = 1;
    semaphore.release();
  });
  semaphore.acquire();
  std::cout << x;
  worker.join();
}

void waiting() {
  std::thread worker([] {
    a.store(1);
    a.notify_one();
  });
  a.wait(0);
  std::cout << a;
  worker.join();
}

struct alignas(16) Pair {
  long first;
  long second;
  bool operator==(const Pair&) const = default;
};
std::atomic<Pair> pair;
void wide() {
  std::thread worker([] {
    Pair old = pair.load();
    while (!pair.compare_exchange_weak(old, Pair{old.first + 1, old.second + 2})) {
    }
  });
  Pair old = pair.load();
  while (!pair.compare_exchange_strong(old, Pair{old.first + 10, old.second + 20})) {
  }
  worker.join();
  const Pair now = pair.load();
  std::cout << now.first << ',' << now.second;
}
struct Odd {
  char bytes[12];
};
std::atomic<Odd> odd;
void any_size() {
  std::thread worker([] { odd.store(Odd{"hello"}); });
  const Odd seen = odd.load();
  worker.join();
  std::cout << (seen.bytes[0] == 'h') << odd.load().bytes;
}
/// However it is asked: as many processors as this process may use.
void processors() {
  cpu_set_t set;
  const int asked = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
  const int own = pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
  std::cout << std::thread::hardware_concurrency() << ' ' << sysconf(_SC_NPROCESSORS_ONLN) << ' ' << asked << ' '
            << own;
}

void reference() {
  int plain = 0;
  std::thread worker([&] { std::atomic_ref(plain).fetch_add(1); });
  std::atomic_ref(plain).fetch_add(2);
  worker.join();
  std::cout << plain;
}
void narrow() {
  static std::atomic<signed char> byte{-1};
  static std::atomic<short> half{-1};
  static std::atomic<bool> flag{false};
  std::thread worker([] {
    byte.fetch_add(1);
    half.exchange(5);
    flag = true;
  });
  std::atomic_thread_fence(std::memory_order_seq_cst);
  worker.join();
  signed char expected = 0;
  assert(byte.compare_exchange_strong(expected, 3));
  std::cout << int{byte} << half << flag;
}

void once() {
  static std::once_flag flag;
  const auto enter = [] { std::call_once(flag, [] { ++x; }); };
  std::thread worker(enter);
  enter();
  worker.join();
  std::cout << x;
}
void once_throws() {
  static std::once_flag flag;
  const auto enter = [] {
    try {
      std::call_once(flag, [] {
        if (++x == 1) throw std::runtime_error("first");
      });
    } catch (const std::runtime_error&) {
      a.fetch_add(1);
    }
  };
  std::thread worker(enter);
  enter();
  worker.join();
  std::cout << x << ',' << a;
}

struct Counted {
  Counted() { a.fetch_add(1); }
  ~Counted() { a.fetch_add(10); }
  int value = 4;
};
Counted& instance() {
  static Counted object;
  return object;
}
void statics() {
  std::thread worker([] { assert(instance().value == 4); });
  assert(instance().value == 4);
  worker.join();
  std::cout << a;
}
thread_local Counted per_thread;
void locals() {
  std::thread worker([] { per_thread.value += 1; });
  worker.join();
  std::cout << a << ',' << per_thread.value;
}

void exceptions() {
  std::exception_ptr caught;
  std::thread worker([&] {
    try {
      a.fetch_add(1);
      throw std::runtime_error("boom");
    } catch (...) {
      a.fetch_add(1);
      caught = std::current_exception();
    }
  });
  try {
    a.fetch_add(1);
    throw std::logic_error("main");
  } catch (const std::logic_error& error) {
    a.fetch_add(1);
    assert(std::string_view(error.what()) == "main");
  }
  worker.join();
  try {
    std::rethrow_exception(caught);
  } catch (const std::runtime_error& error) {
    std::cout << error.what();
  }
}
void uncaught() {
  std::thread worker([] { throw std::runtime_error("nobody"); });
  worker.join();
}

void containers() {
  std::map<std::string, std::vector<int>> table;
  const auto add = [&](const std::string& key, int value) {
    std::lock_guard guard(m);
    table[key + " with a name too long to be stored in place"].push_back(value);
  };
  std::thread worker(add, "b", 1);
  add("a", 2);
  worker.join();
  for (const auto& [key, values] : table) std::cout << key[0] << values.size() << ' ';
}
void pointers() {
  auto shared = std::make_shared<int>(5);
  std::weak_ptr<int> weak = shared;
  std::thread worker([copy = shared] { a.fetch_add(*copy); });
  shared.reset();
  worker.join();
  std::cout << a << weak.expired();
}
void streams() {
  std::thread worker([] { std::cout << 'w'; });
  worker.join();
  std::cerr << 'e';
  std::printf("p");
  std::cout << std::string(3, 's') << std::endl;
}
void random() {
  std::random_device device;
  a.store(static_cast<int>(device()));
  std::cout << a << ' ' << std::chrono::system_clock::now().time_since_epoch().count() << ' '
            << std::hash<std::thread::id>()(std::this_thread::get_id());
}

struct AtExit {
  ~AtExit() { ++x; }
};
[[gnu::noinline]] int current() { return a.load(); }
// Without instrumentation, which has something to do at the end of each function, one of these stacks is plain.
#define PLAIN __attribute__((noinline, no_sanitize("thread")))
template <std::size_t size>
PLAIN void leave(int n) {
  volatile int locals[size] = {n, n};
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(locals[0])));
}
PLAIN void leave_and_count(int n) {
  volatile int locals[4] = {n, n};
  const AtExit at_exit;
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(locals[0])));
}
PLAIN void* leave_somehow(void*) {
  const int n = current();
  if (n % 2 == 1) leave_and_count(n);
  n == 2 ? leave<8>(n) : leave<4>(n);  // one of them has a frame of the same size
  return nullptr;
}
/// Ends from stacks that differ in what is to be destroyed, or only in the values of variables.
void thread_exits() {
  pthread_t worker;
  pthread_create(&worker, nullptr, leave_somehow, nullptr);
  for (int n = 1; n <= 4; ++n) a.store(n);
  void* result = nullptr;
  pthread_join(worker, &result);
  std::cout << reinterpret_cast<std::intptr_t>(result) << ':' << x;
}

// Who sets a handler last wins; the other one is what it gets.
void handler_of_one() {}
void handler_of_other() {}
void handlers() {
  bool replaced[2] = {};
  const auto set = [&](int i, void (*handler)(), void (*other)()) {
    replaced[i] = std::set_terminate(handler) == other;
    std::set_new_handler(handler);
  };
  std::thread t([&] { set(0, handler_of_one, handler_of_other); });
  std::thread u([&] { set(1, handler_of_other, handler_of_one); });
  t.join();
  u.join();
  std::cout << replaced[0] << replaced[1] << (std::get_terminate() == handler_of_one)
            << (std::get_new_handler() == handler_of_one);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view scenario = argc > 1 ? argv[1] : "threads";
  const std::map<std::string_view, void (*)()> all = {{"threads", threads},
                                                      {"joining", joining},
                                                      {"mutexes", mutexes},
                                                      {"shared", shared},
                                                      {"conditions", conditions},
                                                      {"timed_conditions", timed_conditions},
                                                      {"any_conditions", any_conditions},
                                                      {"futures", futures},
                                                      {"asynchronous", asynchronous},
                                                      {"packaged", packaged},
                                                      {"broken", broken},
                                                      {"latches", latches},
                                                      {"barriers", barriers},
                                                      {"semaphores", semaphores},
                                                      {"waiting", waiting},
                                                      {"wide", wide},
                                                      {"any_size", any_size},
                                                      {"processors", processors},
                                                      {"reference", reference},
                                                      {"narrow", narrow},
                                                      {"once", once},
                                                      {"once_throws", once_throws},
                                                      {"statics", statics},
                                                      {"locals", locals},
                                                      {"exceptions", exceptions},
                                                      {"uncaught", uncaught},
                                                      {"containers", containers},
                                                      {"pointers", pointers},
                                                      {"streams", streams},
                                                      {"random", random},
                                                      {"thread_exits", thread_exits},
                                                      {"handlers", handlers}};
  all.at(scenario)();
}

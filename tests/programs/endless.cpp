// Programs that do not end, or hardly ever do, each with a bug near its start (but for those named `no_bug_…`). The
// first argument names the scenario; tests/explorers/endless_test.cpp has what is found in each.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <mazurka/mazurka.h>
#include <pthread.h>

// What threads share must be visible elsewhere, or a compiler may find out that it is not shared.
namespace endless {

std::atomic<int> x, y, z;
std::mutex first, second;

void start(void* (*body)(void*)) {
  pthread_t thread;
  pthread_create(&thread, nullptr, body, nullptr);
}

/// A loop with an effect, for ever.
void* count_up(void* unused) {
  for (;;) x.fetch_add(1);
  return unused;
}

void producer() {
  start(count_up);
  start([](void* unused) {
    assert(x.load() != 2);
    return unused;
  });
}

/// Every thread creates another one; the fourth fails.
void* next_of_many(void* unused) {
  assert(x.fetch_add(1) != 3);
  start(next_of_many);
  return unused;
}
void recursion() { start(next_of_many); }

/// Every thread creates two.
void* parent_of_two(void* unused) {
  const int before = x.load();
  x.store(before + 1);
  assert(x.load() == before + 1);
  start(parent_of_two);
  start(parent_of_two);
  return unused;
}
void tree() { parent_of_two(nullptr); }

/// main creates threads for ever; two of them are enough.
void threads() {
  for (;;)
    start([](void* unused) {
      const int before = x.load();
      x.store(before + 1);
      assert(x.load() == before + 1);
      return unused;
    });
}

/// The loop ends when a choice says so.
void choices() {
  int rounds = 0;
  while (mazurka_choose(3) != 2) ++rounds;
  assert(rounds != 2);
}

/// Choices without end beside a race.
void choices_beside() {
  start([](void* unused) {
    for (int sum = 0; sum < 1'000'000;) sum += mazurka_choose(3);
    return unused;
  });
  start([](void* unused) {
    assert(y.load() == 0);
    return unused;
  });
  y.store(1);
}

std::condition_variable arrived;
int queued, served;

void server() {
  std::thread([] {
    for (;;) {
      std::unique_lock lock(first);
      arrived.wait(lock, [] { return queued > 0; });
      --queued;
      ++served;
    }
  }).detach();
  std::thread([] {
    for (;;) {
      const std::lock_guard lock(first);
      ++queued;
      arrived.notify_one();
    }
  }).detach();
  const std::lock_guard lock(first);
  assert(served < 2);
}

/// A loop that waits, whose state grows, so that no round is idle.
void back_off() {
  start([](void* unused) {
    x.store(1);
    y.store(1);
    return unused;
  });
  for (volatile unsigned long rounds = 0; x.load() == 0;) rounds = rounds + 1;
  assert(y.load() == 1);
}

/// A lost update beside two threads that never end.
void lost_update() {
  start(count_up);
  start(count_up);
  const auto increment = [](void* unused) {
    y.store(y.load() + 1);
    return unused;
  };
  pthread_t a, b;
  pthread_create(&a, nullptr, increment, nullptr);
  pthread_create(&b, nullptr, increment, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(y.load() == 2);
}

/// Two locks in two orders, again and again.
void locks() {
  start([](void* unused) {
    for (;;) {
      const std::lock_guard outer(first);
      const std::lock_guard inner(second);
    }
    return unused;
  });
  for (;;) {
    const std::lock_guard outer(second);
    const std::lock_guard inner(first);
  }
}

/// The end of the process, of which nobody knows how much of a thread that does not end comes before it.
void exit_beside() {
  start(count_up);
  if (x.load() == 2) std::exit(1);
  std::exit(0);
}

/// Waits for z, which is set; the race of the two others is near the start.
void spin() {
  start([](void* unused) {
    y.store(1);
    return unused;
  });
  start([](void* unused) {
    assert(y.load() == 1);
    z.store(42);
    return unused;
  });
  while (z.load() != 42) {
  }
}

/// It ends, but late, after a race in every step.
void long_way() {
  const auto body = [](void* unused) {
    for (int i = 0; i < 5'000; ++i) x.fetch_add(1);
    return unused;
  };
  pthread_t thread;
  pthread_create(&thread, nullptr, body, nullptr);
  body(nullptr);
  pthread_join(thread, nullptr);
  assert(y.load() == 1);
}

void no_bug_counters() {
  start(count_up);
  start(count_up);
  for (;;) x.fetch_sub(1);
}

void no_bug_locks() {
  const auto body = [](void* unused) {
    for (;;) {
      const std::lock_guard lock(first);
      x.fetch_add(1);
    }
    return unused;
  };
  start(body);
  body(nullptr);
}

void* creates_one(void* unused) {
  if (mazurka_choose(2) == 1) x.store(1);
  start(creates_one);
  return unused;
}
void no_bug_threads() {
  start(creates_one);
  creates_one(nullptr);
}

void no_bug_exit() {
  start(count_up);
  std::exit(0);
}

}  // namespace endless

int main(int, char** arguments) {
  using namespace endless;
  // Not static: its initialisation would be a step of main.
  const std::map<std::string, void (*)()> scenarios = {{"producer", producer},
                                                       {"recursion", recursion},
                                                       {"tree", tree},
                                                       {"threads", threads},
                                                       {"choices", choices},
                                                       {"choices_beside", choices_beside},
                                                       {"server", server},
                                                       {"back_off", back_off},
                                                       {"lost_update", lost_update},
                                                       {"locks", locks},
                                                       {"exit_beside", exit_beside},
                                                       {"spin", spin},
                                                       {"long_way", long_way},
                                                       {"no_bug_counters", no_bug_counters},
                                                       {"no_bug_locks", no_bug_locks},
                                                       {"no_bug_threads", no_bug_threads},
                                                       {"no_bug_exit", no_bug_exit}};
  scenarios.at(arguments[1])();
}

// Threads that lock several mutexes at once. The argument names the scenario; what happened is the exit status, by
// which tests/explorers/several_locks_test.cpp tells the outcomes apart.
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::mutex a, b, c;
std::recursive_mutex recursive;
int number = 1;  // under a mutex that all who use it lock
std::atomic<int> seen{0};

int in_opposite_orders() {
  std::thread other([] {
    std::scoped_lock both(b, a);
    number = number * 2;
  });
  {
    std::scoped_lock both(a, b);
    number = number + 3;
  }
  other.join();
  return 10 + number;
}

int around_a_table() {
  static std::mutex* forks[] = {&a, &b, &c};
  static std::mutex book;
  const auto dine = [](int seat) {
    return std::thread([seat] {
      std::scoped_lock both(*forks[seat], *forks[(seat + 1) % 3]);
      const std::lock_guard entry(book);
      number = number * 3 + seat;
    });
  };
  std::thread others[] = {dine(0), dine(1), dine(2)};
  for (std::thread& other : others) other.join();
  return 10 + number;
}

int of_different_types() {
  std::thread other([] {
    std::unique_lock first(b, std::defer_lock);
    std::lock(first, recursive, a);
    number = number * 2;
    recursive.unlock();
    a.unlock();
  });
  std::lock(a, b, recursive);
  number = number + 3;
  a.unlock();
  b.unlock();
  recursive.unlock();
  other.join();
  return 10 + number;
}

/// Who holds one of them waits for who wants both.
int held_for_ever() {
  std::thread other;
  const std::lock_guard held(b);
  other = std::thread([] { std::scoped_lock both(a, b); });
  other.join();
  return 0;
}

/// The first that it wants is never free: it never gets to the other.
int first_held_for_ever() {
  std::thread other;
  const std::lock_guard held(a);
  other = std::thread([] { std::scoped_lock both(a, b); });
  other.join();
  return 0;
}

/// Only one thread backs off, so that there are few enough rounds to take them all.
int beside_guards() {
  std::thread both([] {
    std::scoped_lock locks(a, b);
    number = number * 2;
  });
  std::thread other([] {
    const std::lock_guard lock(b);
    seen = 1;
  });
  {
    const std::lock_guard lock(a);
    number = number + 3;
  }
  both.join();
  other.join();
  return 10 + number;
}

/// A try elsewhere sees whether somebody holds a mutex while backing off: the second one while `other` still holds b.
int tried_elsewhere() {
  std::thread both([] { std::scoped_lock locks(a, b); });
  std::thread other([] {
    const std::lock_guard lock(b);
    if (a.try_lock())
      a.unlock();
    else
      seen += 1;
    if (a.try_lock())
      a.unlock();
    else
      seen += 2;
  });
  both.join();
  other.join();
  return 10 + seen;
}

/// The program counts how often it tries: each round is an effect.
struct Counting {
  std::mutex mutex;
  int tries = 0;  // under the mutex, or nobody else looks
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  bool try_lock() {
    ++tries;
    return mutex.try_lock();
  }
};

int with_effects() {
  static Counting counted;
  std::thread other([] {
    const std::lock_guard lock(counted.mutex);
    seen = 1;
  });
  std::lock(a, counted);
  const int tries = counted.tries;
  a.unlock();
  counted.unlock();
  other.join();
  return 10 + tries;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, int (*)()> scenarios = {
      {"in_opposite_orders", in_opposite_orders},   {"around_a_table", around_a_table},
      {"of_different_types", of_different_types},   {"held_for_ever", held_for_ever},
      {"first_held_for_ever", first_held_for_ever}, {"beside_guards", beside_guards},
      {"tried_elsewhere", tried_elsewhere},         {"with_effects", with_effects}};
  return argc == 2 ? scenarios.at(argv[1])() : 2;
}

// Programs that say to a race detector what they order. The first argument names the scenario; a comment with its name
// stands on the lines of both accesses that race.
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_mutex_create(void*, unsigned);
void __tsan_mutex_destroy(void*, unsigned);
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
void AnnotateHappensBefore(const char*, int, const volatile void*);
void AnnotateHappensAfter(const char*, int, const volatile void*);
void AnnotateRWLockCreate(const char*, int, const volatile void*);
void AnnotateRWLockDestroy(const char*, int, const volatile void*);
void AnnotateRWLockAcquired(const char*, int, const volatile void*, long);
void AnnotateRWLockReleased(const char*, int, const volatile void*, long);
void AnnotateBenignRaceSized(const char*, int, const volatile void*, unsigned long, const char*);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void AnnotateIgnoreSyncBegin(const char*, int);
void AnnotateIgnoreSyncEnd(const char*, int);
}
#define HERE __FILE__, __LINE__

int x;
int y;
std::atomic<int> flag;
std::atomic<int> other_flag;
std::mutex m;

namespace {

// The means is an atomic that the detector takes for relaxed: fences in assembly, say.
void annotated() {
  std::thread t([] {
    x = 1;
    __tsan_release(&flag);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&flag);
    x = 2;
  }
  t.join();
}
void not_annotated() {
  std::thread t([] {
    x = 1; /* not_annotated */
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) x = 2; /* not_annotated */
  t.join();
}
void only_released() {
  std::thread t([] {
    x = 1; /* only_released */
    __tsan_release(&flag);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) x = 2; /* only_released */
  t.join();
}
void only_acquired() {
  std::thread t([] {
    x = 1; /* only_acquired */
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&flag);
    x = 2; /* only_acquired */
  }
  t.join();
}
void elsewhere() {
  std::thread t([] {
    x = 1; /* elsewhere */
    __tsan_release(&other_flag);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&flag);
    x = 2; /* elsewhere */
  }
  t.join();
}
// Nothing makes the acquisition wait for the release: in the other order there is a race.
void unconditional() {
  std::thread t([] {
    x = 1; /* unconditional */
    __tsan_release(&flag);
  });
  __tsan_acquire(&flag);
  x = 2; /* unconditional */
  t.join();
}
void released_late() {
  std::thread t([] {
    __tsan_release(&flag);
    x = 1; /* released_late */
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&flag);
    x = 2; /* released_late */
  }
  t.join();
}
// What is released at one address adds up.
void add_up() {
  std::thread t([] {
    x = 1;
    __tsan_release(&flag);
    flag.fetch_add(1, std::memory_order_relaxed);
  });
  std::thread u([] {
    y = 1;
    __tsan_release(&flag);
    flag.fetch_add(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 2) {
    __tsan_acquire(&flag);
    x = 2;
    y = 2;
  }
  t.join();
  u.join();
}
void not_all_of_them() {
  std::thread t([] {
    x = 1; /* not_all_of_them */
    __tsan_release(&flag);
    flag.fetch_add(1, std::memory_order_relaxed);
  });
  std::thread u([] {
    __tsan_release(&flag);
    flag.fetch_add(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) != 0) {
    __tsan_acquire(&flag);
    x = 2; /* not_all_of_them */
  }
  t.join();
  u.join();
}
// An annotation on a mutex is none of the mutex's business, and the other way round.
void on_a_mutex() {
  std::thread t([] {
    x = 1; /* on_a_mutex */
    __tsan_release(&m);
  });
  m.lock();
  x = 2; /* on_a_mutex */
  m.unlock();
  t.join();
}
void in_a_chain() {
  std::thread t([] {
    x = 1;
    __tsan_release(&flag);
    flag.store(1, std::memory_order_relaxed);
  });
  std::thread u([] {
    if (flag.load(std::memory_order_relaxed) != 1) return;
    __tsan_acquire(&flag);
    __tsan_release(&other_flag);
    other_flag.store(1, std::memory_order_relaxed);
  });
  if (other_flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&other_flag);
    x = 2;
  }
  t.join();
  u.join();
}

void dynamically_annotated() {
  std::thread t([] {
    x = 1;
    AnnotateHappensBefore(HERE, &flag);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    AnnotateHappensAfter(HERE, &flag);
    x = 2;
  }
  t.join();
}

// A lock of the program's own, of relaxed atomics, and what it announces.
constexpr unsigned kReader = 1 << 3;
constexpr unsigned kTry = 1 << 4;
constexpr unsigned kTryFailed = 1 << 5;
std::atomic<int> taken;
int tries;
struct Announced {
  static bool try_lock(unsigned flags = 0) {
    __tsan_mutex_pre_lock(&taken, kTry | flags);
    ++tries;  // its own business
    const bool succeeds = taken.exchange(1, std::memory_order_relaxed) == 0;
    __tsan_mutex_post_lock(&taken, kTry | flags | (succeeds ? 0 : kTryFailed), 0);
    return succeeds;
  }
  static void unlock(unsigned flags = 0) {
    __tsan_mutex_pre_unlock(&taken, flags);
    taken.store(0, std::memory_order_relaxed);
    __tsan_mutex_post_unlock(&taken, flags);
  }
};
struct NotAnnounced {
  static bool try_lock() { return taken.exchange(1, std::memory_order_relaxed) == 0; }
  static void unlock() { taken.store(0, std::memory_order_relaxed); }
};
void announced_lock() {
  const auto add = [] {
    if (!Announced::try_lock()) return;
    ++x;
    Announced::unlock();
  };
  std::thread t(add);
  std::thread u(add);
  t.join();
  u.join();
}
void lock_not_announced() {
  const auto add = [] {
    if (!NotAnnounced::try_lock()) return;
    ++x; /* lock_not_announced */
    NotAnnounced::unlock();
  };
  std::thread t(add);
  std::thread u(add);
  t.join();
  u.join();
}
// Readers are not ordered with each other.
void announced_readers() {
  const auto add = [] {
    if (!Announced::try_lock(kReader)) return;
    ++x; /* announced_readers */
    Announced::unlock(kReader);
  };
  std::thread t(add);
  std::thread u(add);
  t.join();
  u.join();
}
void reader_and_writer() {
  std::thread t([] {
    if (!Announced::try_lock(kReader)) return;
    y = x;
    Announced::unlock(kReader);
  });
  if (Announced::try_lock()) {
    x = 1;
    Announced::unlock();
  }
  t.join();
}
void failed_try() {
  std::thread t([] {
    if (!Announced::try_lock()) return;
    x = 1; /* failed_try */
    Announced::unlock();
  });
  Announced::try_lock();
  x = 2; /* failed_try */
  t.join();
}
// The inner unlock gives nothing up.
void locked_twice() {
  std::thread t([] {
    __tsan_mutex_post_lock(&m, 0, 0);
    __tsan_mutex_post_lock(&m, 0, 0);
    x = 1; /* locked_twice */
    __tsan_mutex_pre_unlock(&m, 0);
    __tsan_mutex_post_unlock(&m, 0);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_mutex_post_lock(&m, 0, 0);
    x = 2; /* locked_twice */
  }
  t.join();
}
// Another lock in the same place.
void made_anew() {
  std::thread t([] {
    x = 1; /* made_anew */
    __tsan_mutex_post_lock(&m, 0, 0);
    __tsan_mutex_pre_unlock(&m, 0);
    __tsan_mutex_post_unlock(&m, 0);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_mutex_destroy(&m, 0);
    __tsan_mutex_create(&m, 0);
    __tsan_mutex_post_lock(&m, 0, 0);
    x = 2; /* made_anew */
  }
  t.join();
}
void annotated_rwlock() {
  const auto add = [] {
    if (!NotAnnounced::try_lock()) return;
    AnnotateRWLockAcquired(HERE, &taken, 1);
    ++x;
    AnnotateRWLockReleased(HERE, &taken, 1);
    NotAnnounced::unlock();
  };
  AnnotateRWLockCreate(HERE, &taken);
  std::thread t(add);
  std::thread u(add);
  t.join();
  u.join();
  AnnotateRWLockDestroy(HERE, &taken);
}
void annotated_readers() {
  const auto add = [] {
    if (!NotAnnounced::try_lock()) return;
    AnnotateRWLockAcquired(HERE, &taken, 0);
    ++x; /* annotated_readers */
    AnnotateRWLockReleased(HERE, &taken, 0);
    NotAnnounced::unlock();
  };
  std::thread t(add);
  std::thread u(add);
  t.join();
  u.join();
}

void ignored_read() {
  std::thread t([] { x = 1; });
  AnnotateIgnoreReadsBegin(HERE);
  y = x;
  AnnotateIgnoreReadsEnd(HERE);
  t.join();
}
void ignored_write() {
  std::thread t([] {
    AnnotateIgnoreWritesBegin(HERE);
    x = 1;
    AnnotateIgnoreWritesEnd(HERE);
  });
  y = x;
  t.join();
}
void write_where_reads_are_ignored() {
  std::thread t([] {
    y = x; /* write_where_reads_are_ignored */
  });
  AnnotateIgnoreReadsBegin(HERE);
  x = 1; /* write_where_reads_are_ignored */
  AnnotateIgnoreReadsEnd(HERE);
  t.join();
}
void no_longer_ignored() {
  std::thread t([] {
    x = 1; /* no_longer_ignored */
  });
  AnnotateIgnoreReadsBegin(HERE);
  y = x;
  AnnotateIgnoreReadsEnd(HERE);
  y = x; /* no_longer_ignored */
  t.join();
}
// What is ignored must not hide what came before it.
void ignored_after() {
  std::thread t([] {
    x = 1; /* ignored_after */
    AnnotateIgnoreWritesBegin(HERE);
    x = 2;
    AnnotateIgnoreWritesEnd(HERE);
  });
  y = x; /* ignored_after */
  t.join();
}
void benign() {
  AnnotateBenignRaceSized(HERE, &x, sizeof x, "statistics");
  std::thread t([] { ++x; });
  ++x;
  t.join();
}
void benign_elsewhere() {
  AnnotateBenignRaceSized(HERE, &y, sizeof y, "statistics");
  std::thread t([] {
    ++x; /* benign_elsewhere */
  });
  ++x; /* benign_elsewhere */
  t.join();
}
void ignored_synchronisation() {
  const auto add = [] {
    AnnotateIgnoreSyncBegin(HERE);
    m.lock();
    AnnotateIgnoreSyncEnd(HERE);
    ++x; /* ignored_synchronisation */
    AnnotateIgnoreSyncBegin(HERE);
    m.unlock();
    AnnotateIgnoreSyncEnd(HERE);
  };
  std::thread t(add);
  std::thread u(add);
  t.join();
  u.join();
}

struct Scenario {
  const char* name;
  void (*run)();
};
#define SCENARIO(NAME) \
  { #NAME, NAME }
const Scenario scenarios[] = {
    SCENARIO(annotated),
    SCENARIO(not_annotated),
    SCENARIO(only_released),
    SCENARIO(only_acquired),
    SCENARIO(elsewhere),
    SCENARIO(unconditional),
    SCENARIO(released_late),
    SCENARIO(add_up),
    SCENARIO(not_all_of_them),
    SCENARIO(on_a_mutex),
    SCENARIO(in_a_chain),
    SCENARIO(dynamically_annotated),
    SCENARIO(announced_lock),
    SCENARIO(lock_not_announced),
    SCENARIO(announced_readers),
    SCENARIO(reader_and_writer),
    SCENARIO(failed_try),
    SCENARIO(locked_twice),
    SCENARIO(made_anew),
    SCENARIO(annotated_rwlock),
    SCENARIO(annotated_readers),
    SCENARIO(ignored_read),
    SCENARIO(ignored_write),
    SCENARIO(write_where_reads_are_ignored),
    SCENARIO(no_longer_ignored),
    SCENARIO(ignored_after),
    SCENARIO(benign),
    SCENARIO(benign_elsewhere),
    SCENARIO(ignored_synchronisation),
};

}  // namespace

int main(int argc, char** argv) {
  for (const Scenario& scenario : scenarios)
    if (argc > 1 && std::strcmp(argv[1], scenario.name) == 0) {
      scenario.run();
      return 0;
    }
  return 2;
}

// Programs that say to a race detector what they order. The first argument names the scenario; a comment with its name
// stands on the lines of both accesses that race.
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);

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

struct Scenario {
  const char* name;
  void (*run)();
};
#define SCENARIO(NAME) \
  { #NAME, NAME }
const Scenario scenarios[] = {
    SCENARIO(annotated),       SCENARIO(not_annotated), SCENARIO(only_released), SCENARIO(only_acquired),
    SCENARIO(elsewhere),       SCENARIO(unconditional), SCENARIO(released_late), SCENARIO(add_up),
    SCENARIO(not_all_of_them), SCENARIO(on_a_mutex),    SCENARIO(in_a_chain),
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

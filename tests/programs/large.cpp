// Races and memory errors where whole pages are accessed at once. The first argument names the scenario; a comment with
// its name stands on the lines that race, or with the kind of the error on the line that fails.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#define KEEP __attribute__((noinline))

constexpr std::size_t kBytes = 1 << 20;
char block[kBytes];
char source[kBytes];
std::mutex m;
volatile char sink;

namespace {

/// The compiler must not find out that nobody reads it.
void keep(char* p) { __asm__ volatile("" : : "r"(p) : "memory"); }
KEEP void fill(char* to, std::size_t bytes) { std::memset(to, 1, bytes); }

void fill_fill() {
  std::thread t([] {
    std::memset(block, 1, kBytes); /* fill_fill */
  });
  std::memset(block, 2, kBytes); /* fill_fill */
  t.join();
}
void fill_fill_joined() {
  std::thread t([] { std::memset(block, 1, kBytes); });
  t.join();
  std::memset(block, 2, kBytes);
}
void fill_read() {
  std::thread t([] {
    std::memset(block, 1, kBytes); /* fill_read */
  });
  sink = block[500'001]; /* fill_read */
  t.join();
}
void fill_read_locked() {
  std::thread t([] {
    const std::lock_guard lock(m);
    std::memset(block, 1, kBytes);
  });
  {
    const std::lock_guard lock(m);
    sink = block[500'001];
    block[500'002] = 3;
  }
  t.join();
}
// The byte is written before the thread starts, but the other one after.
void byte_then_copy() {
  block[500'000] = 1;
  std::thread t([] {
    std::memcpy(block, source, kBytes); /* byte_then_copy */
  });
  block[700'000] = 1; /* byte_then_copy */
  t.join();
}
void copies_from_one_source() {
  std::thread t([] { std::memcpy(block, source, kBytes / 2); });
  std::memcpy(block + kBytes / 2, source, kBytes / 2);
  t.join();
}
// Pages that both read as a whole and one writes.
void copy_and_fill() {
  std::thread t([] {
    std::memcpy(block, source, kBytes); /* copy_and_fill */
  });
  std::memcpy(block + 0, source, 0);
  std::memset(source, 1, kBytes); /* copy_and_fill */
  t.join();
}
void neighbours() {
  std::thread t([] { std::memset(block, 1, kBytes / 2 + 3); });
  std::memset(block + kBytes / 2 + 3, 2, kBytes / 2 - 3);
  t.join();
}
void one_byte_too_far() {
  std::thread t([] {
    std::memset(block, 1, kBytes / 2 + 4); /* one_byte_too_far */
  });
  std::memset(block + kBytes / 2 + 3, 2, kBytes / 2 - 3); /* one_byte_too_far */
  t.join();
}
// Two threads have read the page as a whole, in no order, when one of its bytes is written.
void readers_then_writer() {
  std::thread t([] { std::memcpy(block, source, kBytes / 2); });
  std::thread u([] {
    std::memcpy(block + kBytes / 2, source, kBytes / 2); /* readers_then_writer */
  });
  t.join();
  source[9'000] = 1; /* readers_then_writer */
  u.join();
}
void readers_joined() {
  std::thread t([] { std::memcpy(block, source, kBytes / 2); });
  std::thread u([] { std::memcpy(block + kBytes / 2, source, kBytes / 2); });
  t.join();
  u.join();
  source[9'000] = 1;
}
void read_after_free() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  fill(p, kBytes);
  std::free(p);
  sink = p[300'000]; /* read_after_free use-after-free */
}
void fill_after_free() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  fill(p, kBytes);
  std::free(p);
  std::memset(p, 1, kBytes); /* fill_after_free use-after-free */
  keep(p);
}
void free_twice() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  fill(p, kBytes);
  std::free(p);
  std::free(p); /* free_twice double-free */
}
void fill_too_far() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  std::memset(p, 1, kBytes + 1); /* fill_too_far heap-overflow */
  keep(p);
  std::free(p);
}
void fill_to_the_page() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  const auto end = (reinterpret_cast<std::uintptr_t>(p) + kBytes + 4095) & ~std::uintptr_t{4095};
  std::memset(p, 1, end - reinterpret_cast<std::uintptr_t>(p)); /* fill_to_the_page heap-overflow */
  keep(p);
  std::free(p);
}
void fill_far_too_far() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  std::memset(p, 1, 2 * kBytes); /* fill_far_too_far heap-overflow */
  keep(p);
  std::free(p);
}
void fill_to_the_end() {
  auto* p = static_cast<char*>(std::malloc(kBytes));
  auto* q = static_cast<char*>(std::malloc(kBytes));
  fill(p, kBytes);
  fill(q, kBytes);
  sink = p[kBytes - 1];
  std::free(p);
  sink = q[0];
  std::free(q);
}
void free_unordered() {
  static char* p;
  p = static_cast<char*>(std::malloc(kBytes));
  fill(p, kBytes);
  std::thread t([] {
    sink = p[5'000]; /* free_unordered use-after-free */
  });
  std::free(p);
  t.join();
}
// Long enough for checkpoints, which lie before and after the accesses of whole pages and of parts.
void many_schedules(bool ordered) {
  std::memset(block, 1, kBytes);
  const auto steps = [] {
    for (int i = 0; i < 3; ++i) const std::lock_guard lock(m);
  };
  std::thread t([&] {
    steps();
    const std::lock_guard lock(m);
    std::memset(block, 2, kBytes / 2); /* schedules_unordered */
    block[77'777] = 3;
  });
  steps();
  if (ordered) {
    const std::lock_guard lock(m);
    block[77'777] = 4;
    std::memset(block, 5, kBytes);
  }
  if (!ordered) block[77'777] = 4; /* schedules_unordered */
  t.join();
  std::memset(block, 6, kBytes);
}
void schedules_ordered() { many_schedules(true); }
void schedules_unordered() { many_schedules(false); }

struct Scenario {
  const char* name;
  void (*run)();
};
#define SCENARIO(NAME) \
  { #NAME, NAME }
const Scenario scenarios[] = {
    SCENARIO(fill_fill),           SCENARIO(fill_fill_joined),  SCENARIO(fill_read),
    SCENARIO(fill_read_locked),    SCENARIO(byte_then_copy),    SCENARIO(copies_from_one_source),
    SCENARIO(copy_and_fill),       SCENARIO(neighbours),        SCENARIO(one_byte_too_far),
    SCENARIO(readers_then_writer), SCENARIO(readers_joined),    SCENARIO(read_after_free),
    SCENARIO(fill_after_free),     SCENARIO(free_twice),        SCENARIO(fill_too_far),
    SCENARIO(fill_far_too_far),    SCENARIO(fill_to_the_page),  SCENARIO(fill_to_the_end),
    SCENARIO(free_unordered),      SCENARIO(schedules_ordered), SCENARIO(schedules_unordered),
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

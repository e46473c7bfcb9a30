// Data races that a user may want to suppress. The first argument names the scenario.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" const char* __tsan_default_suppressions() { return "race:suppressed_by_default\n"; }

int counter;

namespace {

__attribute__((noinline)) void count_up() { ++counter; }
__attribute__((noinline)) void through() {
  count_up();
  std::atomic_signal_fence(std::memory_order_seq_cst);  // so that it is no jump
}

template <class First, class Second>
void both(First first, Second second) {
  std::thread t(first);
  second();
  t.join();
}
void direct() { both(count_up, count_up); }
void called() { both(through, count_up); }
void both_ways() {
  both(
      [] {
        through();
        count_up();
      },
      count_up);
}
void freed() {
  int* block = static_cast<int*>(std::malloc(sizeof(int)));
  *block = 1;
  std::free(block);
  both([] {}, [&] { *const_cast<volatile int*>(block) = 2; });
}
void freed_beside() {
  int* block = static_cast<int*>(std::malloc(sizeof(int)));
  both([&] { std::free(block); }, [&] { *const_cast<volatile int*>(block) = 2; });
}

}  // namespace

int main(int, char** argv) {
  if (std::strcmp(argv[1], "direct") == 0) direct();
  if (std::strcmp(argv[1], "called") == 0) called();
  if (std::strcmp(argv[1], "both_ways") == 0) both_ways();
  if (std::strcmp(argv[1], "freed") == 0) freed();
  if (std::strcmp(argv[1], "freed_beside") == 0) freed_beside();
}

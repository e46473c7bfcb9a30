// Small programs with a memory error, each beside a correct one. The first argument names the scenario; a comment with
// its name and the kind of error stands on the line where it shows.
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <mazurka/mazurka.h>
#include <pthread.h>

#define KEEP __attribute__((noinline))

int* kept;
char* text;
char buffer[64];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

namespace {

KEEP void use(int value) { __asm__ volatile("" : : "r"(value)); }
template <class T>
KEEP T* opaque(T* pointer) {
  __asm__ volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

KEEP long opaque_number(long number) {
  __asm__ volatile("" : "+r"(number));
  return number;
}

void after_free() {
  int* block = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  std::free(block);
  use(*opaque(block)); /* after_free use-after-free */
}
void before_free() {
  int* block = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  use(*opaque(block));
  std::free(block);
}
void after_delete() {
  int* block = opaque(new int(1));
  delete block;
  *opaque(block) = 2; /* after_delete use-after-free */
}
void before_delete() {
  int* block = opaque(new int(1));
  *opaque(block) = 2;
  delete block;
}
void after_free_elsewhere() {
  int* block = opaque(new int(1));
  std::thread t([=] { delete block; });
  t.join();
  use(*block); /* after_free_elsewhere use-after-free */
}
void stack_after_end() {
  int* lent = nullptr;
  std::thread t([&] {
    int local = opaque_number(1) != 0;
    lent = opaque(&local);
  });
  t.join();
  use(*opaque(lent)); /* stack_after_end use-after-return */
}
void stack_before_end() {
  std::thread t([] {
    int local = opaque_number(1) != 0;
    int* lent = opaque(&local);
    std::thread u([lent] { *lent += 1; });
    u.join();
    use(*lent);
  });
  t.join();
}
void before_free_elsewhere() {
  int* block = opaque(new int(1));
  use(*block);
  std::thread t([=] { delete block; });
  t.join();
}
void after_growth() {
  std::vector<int> numbers(1, 0);
  int* first = opaque(numbers.data());
  numbers.resize(100);
  *first = 1; /* after_growth use-after-free */
}
void index_after_growth() {
  std::vector<int> numbers(1, 0);
  numbers.resize(100);
  numbers[0] = 1;
}
void after_realloc() {
  int* block = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  int* larger = opaque(static_cast<int*>(std::realloc(block, 100)));
  *opaque(block) = 1; /* after_realloc use-after-free */
  std::free(larger);
}
void realloc_used() {
  int* block = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  int* larger = opaque(static_cast<int*>(std::realloc(block, 100)));
  *larger = 1;
  std::free(larger);
}
void copy_after_free() {
  text = opaque(strdup("hello"));
  std::free(text);
  std::memcpy(buffer, opaque(text), 6); /* copy_after_free use-after-free */
}
void copy_before_free() {
  text = opaque(strdup("hello"));
  std::memcpy(buffer, opaque(text), 6);
  std::free(text);
}
void freed_mutex() {
  auto* lock = opaque(new std::mutex);
  lock->lock();
  lock->unlock();
  delete lock;
  opaque(lock)->lock(); /* freed_mutex use-after-free */
}
void live_mutex() {
  auto* lock = opaque(new std::mutex);
  lock->lock();
  lock->unlock();
  delete lock;
}
void double_free() {
  int* block = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  std::free(block);
  std::free(opaque(block)); /* double_free double-free */
}
void two_frees() {
  int* block = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  int* other = opaque(static_cast<int*>(std::malloc(sizeof(int))));
  std::free(block);
  std::free(other);
}
void double_delete() {
  kept = opaque(new int(1));
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const auto drop = [&] {
    pthread_mutex_lock(&lock);
    delete kept; /* double_delete double-free */
    pthread_mutex_unlock(&lock);
  };
  std::thread t(drop);
  drop();
  t.join();
}
void single_delete() {
  kept = opaque(new int(1));
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const auto drop = [&] {
    pthread_mutex_lock(&lock);
    delete kept;
    kept = nullptr;
    pthread_mutex_unlock(&lock);
  };
  std::thread t(drop);
  drop();
  t.join();
}
void free_of_static() { std::free(opaque(buffer)); /* free_of_static invalid-free */ }
void free_of_nothing() { std::free(opaque(static_cast<char*>(nullptr))); }
void free_of_middle() {
  char* block = opaque(static_cast<char*>(std::malloc(100)));
  std::free(opaque(block) + opaque_number(16)); /* free_of_middle invalid-free */
}
void free_of_start() {
  char* block = opaque(static_cast<char*>(std::malloc(100)));
  std::free(opaque(block) + opaque_number(0));
}
void overflow() {
  int* block = opaque(static_cast<int*>(std::malloc(5 * sizeof(int))));
  for (int i = 0; i <= 5; ++i) block[i] = i; /* overflow heap-overflow */
  std::free(opaque(block));
}
void exact() {
  int* block = opaque(static_cast<int*>(std::malloc(5 * sizeof(int))));
  for (int i = 0; i < 5; ++i) block[i] = i;
  std::free(block);
}
void byte_overflow() {
  char* block = opaque(static_cast<char*>(std::malloc(13)));
  block[13] = 1; /* byte_overflow heap-overflow */
  std::free(opaque(block));
}
void last_byte() {
  char* block = opaque(static_cast<char*>(std::malloc(13)));
  block[12] = 1;
  std::free(opaque(block));
}
void underflow() {
  long* block = opaque(new long[4]);
  use(static_cast<int>(block[-1])); /* underflow heap-overflow */
  delete[] block;
}
void first_element() {
  long* block = opaque(new long[4]());
  use(static_cast<int>(block[0]));
  delete[] block;
}
void string_overflow() {
  char* block = opaque(static_cast<char*>(std::malloc(5)));
  std::strcpy(block, opaque("hello")); /* string_overflow heap-overflow */
  std::free(opaque(block));
}
void string_fits() {
  char* block = opaque(static_cast<char*>(std::malloc(6)));
  std::strcpy(block, opaque("hello"));
  std::free(block);
}
void fill_overflow() {
  char* block = opaque(static_cast<char*>(std::malloc(32)));
  std::memset(block, 0, 33); /* fill_overflow heap-overflow */
  std::free(opaque(block));
}
void fill_fits() {
  char* block = opaque(static_cast<char*>(std::malloc(32)));
  std::memset(block, 0, 32);
  std::free(block);
}
void leak() {
  int* block = opaque(new int(1)); /* leak leak */
  use(*block);
}
void still_reachable() {
  kept = opaque(new int(1));
  use(*kept);
}
void leak_in_thread() {
  std::thread t([] {
    use(*opaque(new int(1))); /* leak_in_thread leak */
  });
  t.join();
}
void freed_by_thread() {
  std::thread t([] { delete opaque(new int(1)); });
  t.join();
}
struct Node {
  Node* next;
};
void leaked_cycle() {
  auto* a = opaque(new Node); /* leaked_cycle leak */
  a->next = opaque(new Node);
  a->next->next = a;
}
void reachable_chain() {
  auto* a = opaque(new Node);
  a->next = opaque(new Node);
  a->next->next = nullptr;
  kept = reinterpret_cast<int*>(a);
}
void destroyed_mutex() {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex); /* destroyed_mutex use-after-destroy */
}
void initialised_again() {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_init(&mutex, nullptr);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
void destroyed_condition() {
  pthread_cond_destroy(&condition);
  pthread_cond_signal(&condition); /* destroyed_condition use-after-destroy */
}
void signal_first() {
  pthread_cond_signal(&condition);
  pthread_cond_destroy(&condition);
}
void destroyed_rwlock() {
  pthread_rwlock_destroy(&rwlock);
  pthread_rwlock_rdlock(&rwlock); /* destroyed_rwlock use-after-destroy */
}
void rwlock_first() {
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_destroy(&rwlock);
}
void destroyed_elsewhere() {
  std::thread t([] {
    pthread_mutex_lock(&mutex); /* destroyed_elsewhere data race */
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_destroy(&mutex); /* destroyed_elsewhere data race */
  t.join();
}
void destroyed_after_join() {
  std::thread t([] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  t.join();
  pthread_mutex_destroy(&mutex);
}

struct Scenario {
  const char* name;
  void (*run)();
};
#define SCENARIO(NAME) \
  { #NAME, NAME }
const Scenario scenarios[] = {SCENARIO(after_free),
                              SCENARIO(before_free),
                              SCENARIO(after_delete),
                              SCENARIO(before_delete),
                              SCENARIO(after_free_elsewhere),
                              SCENARIO(before_free_elsewhere),
                              SCENARIO(stack_after_end),
                              SCENARIO(stack_before_end),
                              SCENARIO(after_growth),
                              SCENARIO(index_after_growth),
                              SCENARIO(after_realloc),
                              SCENARIO(realloc_used),
                              SCENARIO(copy_after_free),
                              SCENARIO(copy_before_free),
                              SCENARIO(freed_mutex),
                              SCENARIO(live_mutex),
                              SCENARIO(double_free),
                              SCENARIO(two_frees),
                              SCENARIO(double_delete),
                              SCENARIO(single_delete),
                              SCENARIO(free_of_static),
                              SCENARIO(free_of_nothing),
                              SCENARIO(free_of_middle),
                              SCENARIO(free_of_start),
                              SCENARIO(overflow),
                              SCENARIO(exact),
                              SCENARIO(byte_overflow),
                              SCENARIO(last_byte),
                              SCENARIO(underflow),
                              SCENARIO(first_element),
                              SCENARIO(string_overflow),
                              SCENARIO(string_fits),
                              SCENARIO(fill_overflow),
                              SCENARIO(fill_fits),
                              SCENARIO(leak),
                              SCENARIO(still_reachable),
                              SCENARIO(leak_in_thread),
                              SCENARIO(freed_by_thread),
                              SCENARIO(leaked_cycle),
                              SCENARIO(reachable_chain),
                              SCENARIO(destroyed_mutex),
                              SCENARIO(initialised_again),
                              SCENARIO(destroyed_condition),
                              SCENARIO(signal_first),
                              SCENARIO(destroyed_rwlock),
                              SCENARIO(rwlock_first),
                              SCENARIO(destroyed_elsewhere),
                              SCENARIO(destroyed_after_join)};

}  // namespace

int main(int argc, char** argv) {
  for (const Scenario& scenario : scenarios)
    if (argc > 1 && std::strcmp(argv[1], scenario.name) == 0) {
      scenario.run();
      return 0;
    }
  return 2;
}

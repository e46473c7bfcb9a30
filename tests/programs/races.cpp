// Small programs with a data race, each beside one without. The first argument names the scenario; a comment with its
// name stands on the lines of both accesses that race.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include <mazurka/mazurka.h>
#include <pthread.h>
#include <semaphore.h>

#define KEEP __attribute__((noinline))

// Not in a namespace without name: the compilers would see that much of it is never read.

int x;
int y;
long wide;
char bytes[16];
char text[16];
std::atomic<int> flag;
std::atomic<int> other_flag;
std::mutex m;
std::mutex other_m;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
sem_t semaphore;
std::condition_variable condition;
bool ready;

struct Fields {
  unsigned a : 4;
  unsigned b : 4;
} fields;
struct Apart {
  unsigned a : 4;
  unsigned : 0;
  unsigned b : 4;
} apart;
struct Point {
  long a, b, c;
} point, copy_of_point;
struct __attribute__((packed)) Packed {
  char c;
  int i;
  char d;
} packed;

namespace {

template <class F, class G>
void both(F f, G g) {
  std::thread t(f);
  g();
  t.join();
}

// Neither compiler can tell that the value does not matter.
KEEP void use(int value) { __asm__ volatile("" : : "r"(value)); }

// Plain against plain.
void plain_plain() {
  both(
      [] {
        x = 1; /* plain_plain */
      },
      [] {
        x = 2; /* plain_plain */
      });
}
void plain_plain_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        x = 1;
      },
      [] {
        std::lock_guard lock(m);
        x = 2;
      });
}
void read_write() {
  both(
      [] {
        x = 1; /* read_write */
      },
      [] {
        use(x); /* read_write */
      });
}
void read_write_joined() {
  std::thread t([] { x = 1; });
  t.join();
  use(x);
}
void after_create() {
  std::thread t([] {
    use(x); /* after_create */
  });
  x = 1; /* after_create */
  t.join();
}
void before_create() {
  x = 1;
  std::thread t([] { use(x); });
  t.join();
}
void two_readers() {
  x = 1;
  both([] { use(x); }, [] { use(x); });
}
void third_thread() {
  std::thread a([] { use(x); });
  std::thread b([] {
    x = 3; /* third_thread */
  });
  a.join();
  use(x); /* third_thread */
  b.join();
}
void third_thread_joined() {
  std::thread a([] { use(x); });
  a.join();
  std::thread b([] { x = 3; });
  b.join();
  use(x);
}
void wrong_lock() {
  both(
      [] {
        std::lock_guard lock(m);
        x = 1; /* wrong_lock */
      },
      [] {
        std::lock_guard lock(other_m);
        x = 2; /* wrong_lock */
      });
}
void nested_locks() {
  both(
      [] {
        std::scoped_lock lock(m, other_m);
        x = 1;
      },
      [] {
        std::lock_guard lock(other_m);
        x = 2;
      });
}

// Plain against atomic.
void plain_atomic() {
  static int word;
  both(
      [] {
        word = 1; /* plain_atomic */
      },
      [] {
        use(__atomic_load_n(&word, __ATOMIC_SEQ_CST)); /* plain_atomic */
      });
}
void atomic_atomic() {
  static int word;
  both([] { __atomic_store_n(&word, 1, __ATOMIC_RELAXED); }, [] { use(__atomic_load_n(&word, __ATOMIC_RELAXED)); });
}
void plain_read_atomic_write() {
  static int word;
  both(
      [] {
        use(word); /* plain_read_atomic_write */
      },
      [] {
        __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST); /* plain_read_atomic_write */
      });
}
void plain_read_atomic_read() {
  static int word;
  both([] { use(word); }, [] { use(__atomic_load_n(&word, __ATOMIC_SEQ_CST)); });
}

// Publication.
void relaxed_publication() {
  both(
      [] {
        x = 1; /* relaxed_publication */
        flag.store(1, std::memory_order_relaxed);
      },
      [] {
        if (flag.load(std::memory_order_acquire) == 1) use(x); /* relaxed_publication */
      });
}
void release_publication() {
  both(
      [] {
        x = 1;
        flag.store(1, std::memory_order_release);
      },
      [] {
        if (flag.load(std::memory_order_acquire) == 1) use(x);
      });
}
void relaxed_observation() {
  both(
      [] {
        x = 1; /* relaxed_observation */
        flag.store(1, std::memory_order_release);
      },
      [] {
        if (flag.load(std::memory_order_relaxed) == 1) use(x); /* relaxed_observation */
      });
}
void fenced_observation() {
  both(
      [] {
        x = 1;
        flag.store(1, std::memory_order_release);
      },
      [] {
        if (flag.load(std::memory_order_relaxed) == 0) return;
        std::atomic_thread_fence(std::memory_order_acquire);
        use(x);
      });
}
void fence_too_late() {
  both(
      [] {
        flag.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        x = 1; /* fence_too_late */
      },
      [] {
        if (flag.load(std::memory_order_acquire) == 1) use(x); /* fence_too_late */
      });
}
void fenced_publication() {
  both(
      [] {
        x = 1;
        std::atomic_thread_fence(std::memory_order_release);
        flag.store(1, std::memory_order_relaxed);
      },
      [] {
        if (flag.load(std::memory_order_acquire) == 1) use(x);
      });
}
void broken_sequence() {
  std::thread a([] {
    x = 1; /* broken_sequence */
    flag.store(1, std::memory_order_release);
  });
  std::thread b([] {
    if (flag.load(std::memory_order_relaxed) == 1) flag.store(2, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire) == 2) use(x); /* broken_sequence */
  a.join();
  b.join();
}
void release_sequence() {
  std::thread a([] {
    x = 1;
    flag.store(1, std::memory_order_release);
  });
  std::thread b([] {
    int one = 1;
    flag.compare_exchange_strong(one, 2, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire) == 2) use(x);
  a.join();
  b.join();
}
void failed_exchange_relaxed() {
  both(
      [] {
        x = 1; /* failed_exchange_relaxed */
        flag.store(1, std::memory_order_release);
      },
      [] {
        int zero = 0;
        if (!flag.compare_exchange_strong(zero, 2, std::memory_order_acq_rel, std::memory_order_relaxed))
          use(x); /* failed_exchange_relaxed */
      });
}
void failed_exchange_acquire() {
  both(
      [] {
        x = 1;
        flag.store(1, std::memory_order_release);
      },
      [] {
        int zero = 0;
        if (!flag.compare_exchange_strong(zero, 2, std::memory_order_acq_rel, std::memory_order_acquire)) use(x);
      });
}
void spin_flag_relaxed() {
  const auto work = [] {
    if (flag.exchange(1, std::memory_order_acquire) != 0) return;
    ++x; /* spin_flag_relaxed */
    flag.store(0, std::memory_order_relaxed);
  };
  both(work, work);
}
void spin_flag() {
  const auto work = [] {
    if (flag.exchange(1, std::memory_order_acquire) != 0) return;
    ++x;
    flag.store(0, std::memory_order_release);
  };
  both(work, work);
}

// Initialisation.
int* instance;
std::atomic<int*> atomic_instance;
KEEP void get_plain() {
  if (instance == nullptr) { /* double_checked */
    std::lock_guard lock(m);
    if (instance == nullptr) instance = new int(1); /* double_checked */
  }
}
void double_checked() {
  both(get_plain, get_plain);
  delete instance;
}
KEEP void get_atomic() {
  if (atomic_instance.load(std::memory_order_acquire) == nullptr) {
    std::lock_guard lock(m);
    if (atomic_instance.load(std::memory_order_relaxed) == nullptr)
      atomic_instance.store(new int(1), std::memory_order_release);
  }
  use(*atomic_instance.load(std::memory_order_relaxed));
}
void double_checked_atomic() {
  both(get_atomic, get_atomic);
  delete atomic_instance.load();
}
void lazy() {
  const auto get = [] {
    if (!ready) { /* lazy */
      x = 1;
      ready = true; /* lazy */
    }
  };
  both(get, get);
}
std::once_flag once;
void lazy_once() {
  const auto get = [] {
    std::call_once(once, [] { x = 1; });
    use(x);
  };
  both(get, get);
}
int make() { return x = 7; }
KEEP int& local_static() {
  static int value = make();
  return value;
}
void statics() {
  both(
      [] {
        local_static() = 1; /* statics */
      },
      [] {
        local_static() = 2; /* statics */
      });
}
void statics_read() {
  both(
      [] {
        use(local_static());
        use(x);
      },
      [] {
        use(local_static());
        use(x);
      });
}

// Parts of words.
void same_bits() {
  both(
      [] {
        fields.a = 1; /* same_bits */
      },
      [] {
        fields.b = 1; /* same_bits */
      });
}
void separate_bits() {
  both([] { apart.a = 1; }, [] { apart.b = 1; });
}
void same_byte() {
  both(
      [] {
        bytes[3] = 1; /* same_byte */
      },
      [] {
        bytes[3] = 2; /* same_byte */
      });
}
void adjacent_bytes() {
  both(
      [] {
        bytes[3] = 1;
        bytes[5] = 1;
      },
      [] {
        bytes[4] = 2;
        bytes[6] = 2;
      });
}
void overlap() {
  both(
      [] {
        wide = 1; /* overlap */
      },
      [] {
        reinterpret_cast<char*>(&wide)[5] = 2; /* overlap */
      });
}
void false_sharing() {
  static int pair[2];
  both([] { pair[0] = 1; }, [] { pair[1] = 2; });
}
void unaligned() {
  both(
      [] {
        packed.i = 1; /* unaligned */
      },
      [] {
        reinterpret_cast<char*>(&packed)[4] = 2; /* unaligned */
      });
}
void unaligned_beside() {
  both([] { packed.i = 1; },
       [] {
         packed.c = 2;
         packed.d = 3;
       });
}

// Ranges.
KEEP void copy(void* to, const void* from, std::size_t size) { std::memcpy(to, from, size); /* copied */ }
void copied() {
  both([] { copy(&copy_of_point, &point, sizeof point); },
       [] {
         point.c = 1; /* copied */
       });
}
void copied_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        std::memcpy(&copy_of_point, &point, sizeof point);
      },
      [] {
        std::lock_guard lock(m);
        point.c = 1;
      });
}
KEEP void fill(char* to, std::size_t size) { std::memset(to, 1, size); /* filled */ }
void filled() {
  both([] { fill(bytes, 10); },
       [] {
         bytes[9] = 2; /* filled */
       });
}
void filled_beside() {
  both([] { fill(bytes, 10); }, [] { bytes[10] = 2; });
}
KEEP void set_text(const char* to) { std::strcpy(text, to); /* strings */ }
KEEP std::size_t get_text() { return std::strlen(text); /* strings */ }
void strings() {
  both([] { set_text("hello"); }, [] { use(static_cast<int>(get_text())); });
}
void strings_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        set_text("hello");
      },
      [] {
        std::lock_guard lock(m);
        use(static_cast<int>(get_text()));
      });
}

// The standard library.
std::vector<int> numbers;
void growth() {
  numbers.assign(1, 0);
  both(
      [] {
        numbers.push_back(1); /* growth */
      },
      [] {
        use(numbers[0]); /* growth */
      });
}
void growth_reserved() {
  numbers.assign(2, 0);
  both([] { numbers[1] = 1; }, [] { use(numbers[0]); });
}
std::shared_ptr<int> pointer;
void shared_pointer() {
  pointer = std::make_shared<int>(1);
  both(
      [] {
        pointer = nullptr; /* shared_pointer */
      },
      [] {
        auto mine = pointer; /* shared_pointer */
      });
}
void shared_copies() {
  pointer = std::make_shared<int>(1);
  auto a = pointer;
  auto b = pointer;
  both(
      [mine = std::move(a)]() mutable {
        use(*mine);
        mine.reset();
      },
      [mine = std::move(b)]() mutable {
        use(*mine);
        mine.reset();
      });
}
void late_promise() {
  std::promise<void> promise;
  std::thread t([&] {
    promise.set_value();
    x = 1; /* late_promise */
  });
  promise.get_future().wait();
  use(x); /* late_promise */
  t.join();
}
void promised() {
  std::promise<void> promise;
  std::thread t([&] {
    x = 1;
    promise.set_value();
  });
  promise.get_future().wait();
  use(x);
  t.join();
}
std::map<int, int> table;
std::list<int> list;
void maps() {
  both(
      [] {
        table[1] = 1; /* maps */
      },
      [] {
        use(static_cast<int>(table.size())); /* maps */
      });
}
void maps_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        table[1] = 1;
      },
      [] {
        std::lock_guard lock(m);
        use(static_cast<int>(table.size()));
      });
}

// The nodes are linked in the library.
void map_searched() {
  table[5] = 1;
  both(
      [] {
        table.emplace(3, 1); /* map_searched */
      },
      [] {
        use(static_cast<int>(table.count(5))); /* map_searched */
      });
}
void map_searched_locked() {
  table[5] = 1;
  both(
      [] {
        std::lock_guard lock(m);
        table.emplace(3, 1);
      },
      [] {
        std::lock_guard lock(m);
        use(static_cast<int>(table.count(5)));
      });
}
void map_searched_by_two() {
  table[5] = table[7] = 1;
  both([] { use(table.find(5)->second); }, [] { use((++table.begin())->second); });
}
void lists() {
  both(
      [] {
        list.push_back(1); /* lists */
      },
      [] {
        use(list.empty() ? 1 : 0); /* lists */
      });
}
void lists_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        list.push_back(1);
      },
      [] {
        std::lock_guard lock(m);
        use(list.empty() ? 1 : 0);
      });
}

// Other means of synchronisation.
void handover_unlocked() {
  both(
      [] {
        x = 1; /* handover_unlocked */
        condition.notify_one();
      },
      [] {
        std::unique_lock lock(m);
        condition.wait_for(lock, std::chrono::seconds(1));
        use(x); /* handover_unlocked */
      });
}
void handover() {
  both(
      [] {
        std::lock_guard lock(m);
        x = 1;
        ready = true;
        condition.notify_one();
      },
      [] {
        std::unique_lock lock(m);
        condition.wait(lock, [] { return ready; });
        lock.unlock();
        use(x);
      });
}
void phases_missing() {
  pthread_barrier_init(&barrier, nullptr, 2);
  both(
      [] {
        pthread_barrier_wait(&barrier);
        x = 1; /* phases_missing */
      },
      [] {
        pthread_barrier_wait(&barrier);
        use(x); /* phases_missing */
      });
}
void phases() {
  pthread_barrier_init(&barrier, nullptr, 2);
  both(
      [] {
        x = 1;
        pthread_barrier_wait(&barrier);
        use(y);
        pthread_barrier_wait(&barrier);
        x = 2;
      },
      [] {
        y = 1;
        pthread_barrier_wait(&barrier);
        use(x);
        pthread_barrier_wait(&barrier);
        y = 2;
      });
}
void write_as_reader() {
  const auto work = [] {
    pthread_rwlock_rdlock(&rwlock);
    ++x; /* write_as_reader */
    pthread_rwlock_unlock(&rwlock);
  };
  both(work, work);
}
void readers_and_writer() {
  both(
      [] {
        pthread_rwlock_rdlock(&rwlock);
        use(x);
        pthread_rwlock_unlock(&rwlock);
      },
      [] {
        pthread_rwlock_wrlock(&rwlock);
        x = 1;
        pthread_rwlock_unlock(&rwlock);
      });
}
void readers_do_not_order() {
  both(
      [] {
        x = 1; /* readers_do_not_order */
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
      },
      [] {
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        use(x); /* readers_do_not_order */
      });
}
void shared_mutexes() {
  static std::shared_mutex shared;
  both(
      [] {
        std::shared_lock lock(shared);
        use(x);
      },
      [] {
        std::unique_lock lock(shared);
        x = 1;
      });
}
void ignored_trylock() {
  both(
      [] {
        std::lock_guard lock(m);
        x = 1; /* ignored_trylock */
      },
      [] {
        const bool locked = m.try_lock();
        x = 2; /* ignored_trylock */
        if (locked) m.unlock();
      });
}
void honoured_trylock() {
  both(
      [] {
        std::lock_guard lock(m);
        x = 1;
      },
      [] {
        if (!m.try_lock()) return;
        x = 2;
        m.unlock();
      });
}
void early_post() {
  sem_init(&semaphore, 0, 0);
  both(
      [] {
        sem_post(&semaphore);
        x = 1; /* early_post */
      },
      [] {
        sem_wait(&semaphore);
        use(x); /* early_post */
      });
}
void post() {
  sem_init(&semaphore, 0, 0);
  both(
      [] {
        x = 1;
        sem_post(&semaphore);
      },
      [] {
        sem_wait(&semaphore);
        use(x);
      });
}
void two_tokens() {
  sem_init(&semaphore, 0, 2);
  const auto work = [] {
    sem_wait(&semaphore);
    ++x; /* two_tokens */
    sem_post(&semaphore);
  };
  both(work, work);
}
void one_token() {
  sem_init(&semaphore, 0, 1);
  const auto work = [] {
    sem_wait(&semaphore);
    ++x;
    sem_post(&semaphore);
  };
  both(work, work);
}
void spin_lock_half() {
  pthread_spin_init(&spin, 0);
  both(
      [] {
        pthread_spin_lock(&spin);
        ++x; /* spin_lock_half */
        pthread_spin_unlock(&spin);
      },
      [] {
        ++x; /* spin_lock_half */
      });
}
void spin_lock() {
  pthread_spin_init(&spin, 0);
  const auto work = [] {
    pthread_spin_lock(&spin);
    ++x;
    pthread_spin_unlock(&spin);
  };
  both(work, work);
}
void section_half() {
  both(
      [] {
        mazurka_atomic_begin();
        ++x; /* section_half */
        mazurka_atomic_end();
      },
      [] {
        ++x; /* section_half */
      });
}
void sections() {
  const auto work = [] {
    mazurka_atomic_begin();
    ++x;
    mazurka_atomic_end();
  };
  both(work, work);
}

// Life times.
thread_local int own;
std::atomic<int*> lent;
void lent_local() {
  both(
      [] {
        lent = &own;
        own = 1; /* lent_local */
      },
      [] {
        if (int* theirs = lent.load()) use(*theirs); /* lent_local */
      });
}
void own_local() {
  both([] { own = 1; }, [] { own = 2; });
}
struct Base {
  virtual ~Base() { other_flag.store(1); /* vptr */ }
  virtual void act() {}
};
struct Derived : Base {
  void act() override { use(1); }
};
KEEP void act(Base* object) { object->act(); /* vptr */ }
void vptr() {
  Base* object = new Derived;
  both(
      [=] {
        act(object);
        flag.store(1, std::memory_order_relaxed);
      },
      [=] {
        mazurka_assume(flag.load(std::memory_order_relaxed));
        delete object;
      });
}
void vptr_joined() {
  Base* object = new Derived;
  std::thread t([=] { act(object); });
  t.join();
  delete object;
}
void freed() {
  auto* block = new int(1);
  both(
      [=] {
        use(*block); /* freed */
        flag.store(1, std::memory_order_relaxed);
      },
      [=] {
        mazurka_assume(flag.load(std::memory_order_relaxed));
        delete block; /* freed */
      });
}
void freed_joined() {
  auto* block = new int(1);
  std::thread t([=] { use(*block); });
  t.join();
  delete block;
}

// What the library does when a thread ends, outside of instrumented code.
void ready_at_thread_exit() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([&] {
    x = 1;
    promise.set_value_at_thread_exit(2);
  });
  use(future.get());
  use(x);
  t.join();
}
void ready_before_thread_exit() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  struct Writes {
    ~Writes() { x = 1; /* ready_before_thread_exit */ }
  };
  std::thread t([&] {
    Writes writes;
    promise.set_value(2);
  });
  use(future.get());
  use(x); /* ready_before_thread_exit */
  t.join();
}

struct Scenario {
  const char* name;
  void (*run)();
};
#define SCENARIO(NAME) \
  { #NAME, NAME }
const Scenario scenarios[] = {
    SCENARIO(plain_plain),
    SCENARIO(plain_plain_locked),
    SCENARIO(read_write),
    SCENARIO(read_write_joined),
    SCENARIO(after_create),
    SCENARIO(before_create),
    SCENARIO(two_readers),
    SCENARIO(third_thread),
    SCENARIO(third_thread_joined),
    SCENARIO(wrong_lock),
    SCENARIO(nested_locks),
    SCENARIO(plain_atomic),
    SCENARIO(atomic_atomic),
    SCENARIO(plain_read_atomic_write),
    SCENARIO(plain_read_atomic_read),
    SCENARIO(relaxed_publication),
    SCENARIO(release_publication),
    SCENARIO(relaxed_observation),
    SCENARIO(fenced_observation),
    SCENARIO(fence_too_late),
    SCENARIO(fenced_publication),
    SCENARIO(broken_sequence),
    SCENARIO(release_sequence),
    SCENARIO(failed_exchange_relaxed),
    SCENARIO(failed_exchange_acquire),
    SCENARIO(spin_flag_relaxed),
    SCENARIO(spin_flag),
    SCENARIO(double_checked),
    SCENARIO(double_checked_atomic),
    SCENARIO(lazy),
    SCENARIO(lazy_once),
    SCENARIO(statics),
    SCENARIO(statics_read),
    SCENARIO(same_bits),
    SCENARIO(separate_bits),
    SCENARIO(same_byte),
    SCENARIO(adjacent_bytes),
    SCENARIO(overlap),
    SCENARIO(false_sharing),
    SCENARIO(unaligned),
    SCENARIO(unaligned_beside),
    SCENARIO(copied),
    SCENARIO(copied_locked),
    SCENARIO(filled),
    SCENARIO(filled_beside),
    SCENARIO(strings),
    SCENARIO(strings_locked),
    SCENARIO(growth),
    SCENARIO(growth_reserved),
    SCENARIO(shared_pointer),
    SCENARIO(shared_copies),
    SCENARIO(late_promise),
    SCENARIO(promised),
    SCENARIO(maps),
    SCENARIO(maps_locked),
    SCENARIO(map_searched),
    SCENARIO(map_searched_locked),
    SCENARIO(map_searched_by_two),
    SCENARIO(lists),
    SCENARIO(lists_locked),
    SCENARIO(handover_unlocked),
    SCENARIO(handover),
    SCENARIO(phases_missing),
    SCENARIO(phases),
    SCENARIO(write_as_reader),
    SCENARIO(readers_and_writer),
    SCENARIO(readers_do_not_order),
    SCENARIO(shared_mutexes),
    SCENARIO(ignored_trylock),
    SCENARIO(honoured_trylock),
    SCENARIO(early_post),
    SCENARIO(post),
    SCENARIO(two_tokens),
    SCENARIO(one_token),
    SCENARIO(spin_lock_half),
    SCENARIO(spin_lock),
    SCENARIO(section_half),
    SCENARIO(sections),
    SCENARIO(lent_local),
    SCENARIO(own_local),
    SCENARIO(vptr),
    SCENARIO(vptr_joined),
    SCENARIO(freed),
    SCENARIO(freed_joined),
    SCENARIO(ready_at_thread_exit),
    SCENARIO(ready_before_thread_exit),
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

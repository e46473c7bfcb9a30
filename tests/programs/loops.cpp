// Loops that wait for what other threads write. The first argument names the scenario, the second the number of
// threads; tests/explorers/loops_test.cpp has the executions of each.
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <semaphore.h>

extern "C" {
void mazurka_assume(int condition);
int __VERIFIER_xchg_await_aint(std::atomic<int>* location, int desired, int relation, int bound);
void __VERIFIER_loop_begin();
void __VERIFIER_spin_start();
void __VERIFIER_spin_end(int);
}

// What threads share must be visible elsewhere, or a compiler may find out that it is not shared.
namespace loops {

unsigned count = 2;
int protected_by_lock;

/// Starts `count` threads, and waits for their ends.
void all(const std::function<void(unsigned)>& body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

namespace of_ticket_lock {
std::atomic<unsigned> next, serving;
}
void ticket_lock() {
  using namespace of_ticket_lock;
  all([](unsigned) {
    const unsigned ticket = next.fetch_add(1);
    while (serving.load() != ticket) {
    }
    ++protected_by_lock;
    serving.fetch_add(1);
  });
}

namespace of_test_and_set {
std::atomic<bool> taken;
}
void test_and_set() {
  using namespace of_test_and_set;
  all([](unsigned) {
    while (taken.exchange(true)) {
    }
    ++protected_by_lock;
    taken.store(false);
  });
}

namespace of_test_and_test_and_set {
std::atomic<bool> taken;
}
void test_and_test_and_set() {
  using namespace of_test_and_test_and_set;
  all([](unsigned) {
    do
      while (taken.load()) {
      }
    while (taken.exchange(true));
    ++protected_by_lock;
    taken.store(false);
  });
}

namespace of_compare_exchange {
std::atomic<int> owner;
}
void compare_exchange() {
  using namespace of_compare_exchange;
  all([](unsigned me) {
    for (int nobody = 0; !owner.compare_exchange_weak(nobody, static_cast<int>(me) + 1); nobody = 0) {
    }
    ++protected_by_lock;
    owner.store(0);
  });
}

struct Waiter {
  std::atomic<Waiter*> next{nullptr};
  std::atomic<bool> waits{false};
};

namespace of_clh {
Waiter first, waiters[8];
std::atomic<Waiter*> tail{&first};
}  // namespace of_clh
void clh() {
  using namespace of_clh;
  all([](unsigned me) {
    waiters[me].waits.store(true);
    Waiter* before = tail.exchange(&waiters[me]);
    while (before->waits.load()) {
    }
    ++protected_by_lock;
    waiters[me].waits.store(false);
  });
}

namespace of_mcs {
Waiter waiters[8];
std::atomic<Waiter*> tail;
}  // namespace of_mcs
void mcs() {
  using namespace of_mcs;
  all([](unsigned number) {
    Waiter& me = waiters[number];
    if (Waiter* before = tail.exchange(&me); before != nullptr) {
      me.waits.store(true);
      before->next.store(&me);
      while (me.waits.load()) {
      }
    }
    ++protected_by_lock;
    Waiter* next = me.next.load();
    if (next == nullptr) {
      Waiter* expected = &me;
      if (tail.compare_exchange_strong(expected, nullptr)) return;
      while ((next = me.next.load()) == nullptr) {
      }
    }
    next->waits.store(false);
  });
}

namespace of_peterson {
std::atomic<bool> wants[2];
std::atomic<unsigned> turn;
}  // namespace of_peterson
void peterson() {
  using namespace of_peterson;
  all([](unsigned me) {
    wants[me].store(true);
    turn.store(1 - me);
    while (wants[1 - me].load() && turn.load() == 1 - me) {
    }
    ++protected_by_lock;
    wants[me].store(false);
  });
}

namespace of_dekker {
std::atomic<bool> wants[2];
std::atomic<unsigned> turn;
}  // namespace of_dekker
void dekker() {
  using namespace of_dekker;
  all([](unsigned me) {
    wants[me].store(true);
    while (wants[1 - me].load()) {
      if (turn.load() == me) continue;
      wants[me].store(false);
      while (turn.load() != me) {
      }
      wants[me].store(true);
    }
    ++protected_by_lock;
    turn.store(1 - me);
    wants[me].store(false);
  });
}

namespace of_szymanski {
std::atomic<int> room[2];
}
void szymanski() {
  using namespace of_szymanski;
  all([](unsigned me) {
    const unsigned other = 1 - me;
    room[me].store(1);
    while (room[other].load() >= 3) {
    }
    room[me].store(3);
    if (room[other].load() == 1) {
      room[me].store(2);
      while (room[other].load() != 4) {
      }
    }
    room[me].store(4);
    while (me == 1 && room[0].load() >= 2) {
    }
    ++protected_by_lock;
    for (int there = 2; me == 0 && (there == 2 || there == 3);) there = room[1].load();
    room[me].store(0);
  });
}

namespace of_lamport {
std::atomic<unsigned> x, y;
std::atomic<bool> busy[8];
}  // namespace of_lamport
void lamport() {
  using namespace of_lamport;
  all([](unsigned number) {
    const unsigned me = number + 1;
    for (;;) {
      busy[me].store(true);
      x.store(me);
      if (y.load() != 0) {
        busy[me].store(false);
        while (y.load() != 0) {
        }
        continue;
      }
      y.store(me);
      if (x.load() == me) break;
      busy[me].store(false);
      for (unsigned i = 1; i <= count; ++i)
        while (busy[i].load()) {
        }
      if (y.load() == me) break;
      while (y.load() != 0) {
      }
    }
    ++protected_by_lock;
    y.store(0);
    busy[me].store(false);
  });
}

namespace of_sequence_lock {
std::atomic<unsigned> sequence, left, right;
}
void sequence_lock() {
  using namespace of_sequence_lock;
  std::thread writer([] {
    for (unsigned i = 1; i <= 2; ++i) {
      sequence.fetch_add(1);
      left.store(i);
      right.store(i);
      sequence.fetch_add(1);
    }
  });
  unsigned before, l, r;
  do {
    while ((before = sequence.load()) % 2 == 1) {
    }
    l = left.load();
    r = right.load();
  } while (sequence.load() != before);
  assert(l == r);
  writer.join();
}

namespace of_sense_barrier {
std::atomic<unsigned> missing{count}, arrived;
std::atomic<bool> sense;
}  // namespace of_sense_barrier
void sense_barrier() {
  using namespace of_sense_barrier;
  all([](unsigned) {
    bool mine = false;
    const auto arrive = [&mine] {
      mine = !mine;
      if (missing.fetch_sub(1) == 1) {
        missing.store(count);
        sense.store(mine);
      } else {
        while (sense.load() != mine) {
        }
      }
    };
    arrived.fetch_add(1);
    arrive();
    assert(arrived.load() == count);
    arrive();
  });
}

namespace of_ring {
std::atomic<unsigned> head, tail;
int buffer[2];
}  // namespace of_ring
void ring() {
  using namespace of_ring;
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i) {
      const unsigned t = tail.load();
      while (t - head.load() == 2) {
      }
      buffer[t % 2] = i;
      tail.store(t + 1);
    }
  });
  for (int i = 1; i <= 3; ++i) {
    const unsigned h = head.load();
    while (tail.load() == h) {
    }
    assert(buffer[h % 2] == i);
    head.store(h + 1);
  }
  producer.join();
}

namespace of_counts_rounds {
std::atomic<int> flag;
}
/// How often it looked is no secret, up to twice.
void counts_rounds() {
  using namespace of_counts_rounds;
  std::thread setter([] { flag.store(1); });
  int rounds = 0;
  while (flag.load() == 0)
    if (rounds < 2) ++rounds;
  setter.join();
  std::exit(rounds);
}

namespace of_nobody_sets_it {
std::atomic<int> never_set;
}
void nobody_sets_it() {
  using namespace of_nobody_sets_it;
  std::thread other([] { never_set.load(); });
  while (never_set.load() == 0) {
  }
  other.join();
}

namespace of_both_wait {
std::atomic<int> here, there;
}
void both_wait() {
  using namespace of_both_wait;
  std::thread other([] {
    while (there.load() == 0) {
    }
    here.store(1);
  });
  while (here.load() == 0) {
  }
  there.store(1);
  other.join();
}

namespace of_never_released {
std::atomic<bool> taken;
}
void never_released() {
  using namespace of_never_released;
  all([](unsigned me) {
    while (taken.exchange(true)) {
    }
    if (me != 0) taken.store(false);
  });
}

namespace of_lock_and_look {
std::mutex mutex;
unsigned arrived;
}  // namespace of_lock_and_look
/// A barrier of threads that look until all are there.
void lock_and_look() {
  using namespace of_lock_and_look;
  all([](unsigned) {
    mutex.lock();
    ++arrived;
    mutex.unlock();
    for (bool there = false; !there;) {
      const std::lock_guard guard(mutex);
      there = arrived == count;
    }
  });
}

/// The same with one thread missing.
void lock_and_look_in_vain() {
  using namespace of_lock_and_look;
  all([](unsigned me) {
    mutex.lock();
    if (me != 0) ++arrived;
    mutex.unlock();
    for (bool there = false; !there;) {
      const std::lock_guard guard(mutex);
      there = arrived == count;
    }
  });
}

namespace of_try_lock {
std::mutex mutex;
}
void try_lock() {
  using namespace of_try_lock;
  all([](unsigned) {
    while (!mutex.try_lock()) {
    }
    ++protected_by_lock;
    mutex.unlock();
  });
}

namespace of_try_semaphore {
sem_t semaphore;
}
/// A semaphore as a lock.
void try_semaphore() {
  using namespace of_try_semaphore;
  sem_init(&semaphore, 0, 1);
  all([](unsigned) {
    while (sem_trywait(&semaphore) != 0) {
    }
    ++protected_by_lock;
    sem_post(&semaphore);
  });
}

/// Nobody posts.
void try_semaphore_in_vain() {
  using namespace of_try_semaphore;
  sem_init(&semaphore, 0, 0);
  while (sem_trywait(&semaphore) != 0) {
  }
}

namespace of_try_shared {
std::shared_mutex mutex;
int written;
}  // namespace of_try_shared
/// One writes, the others read.
void try_shared() {
  using namespace of_try_shared;
  all([](unsigned me) {
    if (me == 0) {
      while (!mutex.try_lock()) {
      }
      ++written;
      mutex.unlock();
    } else {
      while (!mutex.try_lock_shared()) {
      }
      [[maybe_unused]] volatile int seen = written;
      mutex.unlock_shared();
    }
  });
}

namespace of_try_spin_lock {
pthread_spinlock_t lock;
}
void try_spin_lock() {
  using namespace of_try_spin_lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  all([](unsigned) {
    while (pthread_spin_trylock(&lock) != 0) {
    }
    ++protected_by_lock;
    pthread_spin_unlock(&lock);
  });
}

namespace of_race_in_idle_rounds {
std::atomic<int> flag;
}
/// What another thread is given to read is written in a loop that waits.
void race_in_idle_rounds() {
  using namespace of_race_in_idle_rounds;
  int local = 0;
  int* volatile shared = &local;
  std::thread other([&shared] {
    [[maybe_unused]] volatile int seen = *shared;
    flag.store(1);
  });
  while (flag.load() == 0) local = 1;
  other.join();
}

namespace of_assumed_ticket_lock {
std::atomic<unsigned> next, serving;
}
void assumed_ticket_lock() {
  using namespace of_assumed_ticket_lock;
  all([](unsigned) {
    const unsigned ticket = next.fetch_add(1);
    mazurka_assume(serving.load() == ticket);
    ++protected_by_lock;
    serving.fetch_add(1);
  });
}

namespace of_assumed_test_and_set {
std::atomic<bool> taken;
}
void assumed_test_and_set() {
  using namespace of_assumed_test_and_set;
  all([](unsigned) {
    mazurka_assume(!taken.exchange(true));
    ++protected_by_lock;
    taken.store(false);
  });
}

namespace of_awaited_exchange {
std::atomic<int> taken;
}
void awaited_exchange() {
  using namespace of_awaited_exchange;
  constexpr int kEqual = 2;
  all([](unsigned) {
    __VERIFIER_xchg_await_aint(&taken, 1, kEqual, 0);
    ++protected_by_lock;
    taken.store(0);
  });
}

namespace of_assumed_in_vain {
std::atomic<int> never_set;
}
void assumed_in_vain() {
  using namespace of_assumed_in_vain;
  all([](unsigned) { mazurka_assume(never_set.load() == 1); });
}

namespace of_assumed_later {
std::atomic<int> flag;
int kept;
}  // namespace of_assumed_later
/// Between the access and the assumption there is a store, so it is not a wait.
void assumed_later() {
  using namespace of_assumed_later;
  std::thread other([] { flag.store(1); });
  kept = flag.load();
  mazurka_assume(kept == 1);
  other.join();
}

namespace of_marked_loop {
std::atomic<int> flag;
}
/// As programs for GenMC and Dartagnan say that they wait.
void marked_loop() {
  using namespace of_marked_loop;
  std::thread other([] { flag.store(1); });
  for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), flag.load() == 0 || (__VERIFIER_spin_end(1), false);)
    __VERIFIER_spin_end(0);
  other.join();
}

namespace of_back_off_in_turns {
std::atomic<bool> taken;
}
/// A lock whose back-off yields and sleeps in turns, so that only every second round ends as it began.
void back_off_in_turns() {
  using namespace of_back_off_in_turns;
  all([](unsigned) {
    for (bool yields = true; taken.exchange(true); yields = !yields) {
      if (yields)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(10));
    }
    ++protected_by_lock;
    taken.store(false);
  });
}

namespace of_freed_while_waiting {
std::atomic<int>* volatile awaited;
}
void freed_while_waiting() {
  using namespace of_freed_while_waiting;
  awaited = new std::atomic<int>(0);
  std::thread other([] {
    std::atomic<int>* const mine = awaited;
    while (mine->load() == 0) {
    }
  });
  delete awaited;
  other.join();
}

}  // namespace loops

int main(int argc, char** argv) {
  using namespace loops;
  const std::map<std::string, void (*)()> scenarios = {{"ticket_lock", ticket_lock},
                                                       {"test_and_set", test_and_set},
                                                       {"test_and_test_and_set", test_and_test_and_set},
                                                       {"compare_exchange", compare_exchange},
                                                       {"clh", clh},
                                                       {"mcs", mcs},
                                                       {"peterson", peterson},
                                                       {"dekker", dekker},
                                                       {"szymanski", szymanski},
                                                       {"lamport", lamport},
                                                       {"sequence_lock", sequence_lock},
                                                       {"sense_barrier", sense_barrier},
                                                       {"ring", ring},
                                                       {"counts_rounds", counts_rounds},
                                                       {"nobody_sets_it", nobody_sets_it},
                                                       {"both_wait", both_wait},
                                                       {"never_released", never_released},
                                                       {"lock_and_look", lock_and_look},
                                                       {"lock_and_look_in_vain", lock_and_look_in_vain},
                                                       {"try_lock", try_lock},
                                                       {"try_semaphore", try_semaphore},
                                                       {"try_semaphore_in_vain", try_semaphore_in_vain},
                                                       {"try_shared", try_shared},
                                                       {"try_spin_lock", try_spin_lock},
                                                       {"race_in_idle_rounds", race_in_idle_rounds},
                                                       {"assumed_ticket_lock", assumed_ticket_lock},
                                                       {"assumed_test_and_set", assumed_test_and_set},
                                                       {"awaited_exchange", awaited_exchange},
                                                       {"assumed_in_vain", assumed_in_vain},
                                                       {"assumed_later", assumed_later},
                                                       {"marked_loop", marked_loop},
                                                       {"back_off_in_turns", back_off_in_turns},
                                                       {"freed_while_waiting", freed_while_waiting}};
  if (argc < 2 || !scenarios.contains(argv[1])) return 2;
  if (argc > 2) count = static_cast<unsigned>(std::atoi(argv[2]));
  scenarios.at(argv[1])();
  assert(protected_by_lock == 0 || protected_by_lock == static_cast<int>(count));
}

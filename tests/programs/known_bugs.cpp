// Programs with one known bug each, small and rare, as benchmarks of concurrency testing have them (SCTBench). They are
// free of data races, so that only the order of steps decides.
//
//   known_bugs NAME [N]
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

template <class Body>
void in_parallel(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

/// n setters write two variables; a checker fails if it sees one without the other.
void reorder(int n) {
  static std::atomic<int> a, b;
  in_parallel(n + 1, [n](int i) {
    if (i < n) {
      a = 1;
      b = -1;
    } else {
      const int x = a;
      const int y = b;
      assert((x == 0 && y == 0) || (x == 1 && y == -1));
    }
  });
}

/// n-1 threads go through two stages, each behind its lock; a reader comes between the stages of the first of them.
void two_stages(int n) {
  static std::mutex first_lock, second_lock;
  static int first, second;
  in_parallel(n, [n](int i) {
    if (i < n - 1) {
      {
        const std::lock_guard guard(first_lock);
        first = 1;
      }
      const std::lock_guard guard(second_lock);
      second = 2;
    } else {
      int seen = 0;
      {
        const std::lock_guard guard(first_lock);
        seen = first;
      }
      if (seen == 0) return;
      const std::lock_guard guard(second_lock);
      assert(second == seen + 1);
    }
  });
}

/// A Chase-Lev deque. Its owner reads `top` before its store to `bottom`, as a processor does where the fence between
/// them is missing: then the last but one task may be taken twice.
void deque(int n) {
  static std::atomic<int> top, bottom, done[64];
  static std::atomic<int> tasks[64];
  for (int i = 0; i < n; ++i) {
    tasks[i] = i;
    bottom = i + 1;
  }
  in_parallel(2, [n](int i) {
    if (i == 0) {
      for (int j = 0; j < n; ++j) {
        const int t = top;  // belongs below the store
        const int b = bottom - 1;
        bottom = b;
        if (t > b) {
          bottom = b + 1;
          continue;
        }
        const int task = tasks[b];
        int expected = t;
        if (t == b) {
          const bool won = top.compare_exchange_strong(expected, t + 1);
          bottom = b + 1;
          if (!won) continue;
        }
        assert(done[task]++ == 0);
      }
    } else {
      for (int j = 0; j < n; ++j) {
        int t = top;
        if (t >= bottom) continue;
        const int task = tasks[t];
        if (top.compare_exchange_strong(t, t + 1)) assert(done[task]++ == 0);
      }
    }
  });
}

/// A stack of nodes whose pop may be overtaken by pops and a push of the same node (ABA).
void aba(int) {
  static std::atomic<int> head{1};
  static std::atomic<int> next[4];
  static std::atomic<int> owners[4];
  next[1] = 2;
  next[2] = 3;
  const auto pop = [] {
    for (int tries = 0; tries < 2; ++tries) {
      int node = head;
      if (node == 0) return 0;
      const int after = next[node];
      if (head.compare_exchange_strong(node, after)) {
        assert(owners[node]++ == 0);
        return node;
      }
    }
    return 0;
  };
  const auto push = [](int node) {
    if (node == 0) return;
    --owners[node];
    int old = head;
    do next[node] = old;
    while (!head.compare_exchange_strong(old, node));
  };
  in_parallel(2, [&](int i) {
    const int node = pop();
    if (i == 0) return;
    pop();
    push(node);
    pop();
    pop();
  });
}

/// Each looks at the balance and withdraws in separate sections.
void account(int n) {
  static std::mutex lock;
  static int balance;
  balance = n - 1;
  in_parallel(n, [](int) {
    bool enough = false;
    {
      const std::lock_guard guard(lock);
      enough = balance > 0;
    }
    if (!enough) return;
    const std::lock_guard guard(lock);
    assert(--balance >= 0);
  });
}

/// A driver is stopped while a request has checked the flag but not yet announced itself.
void driver(int n) {
  static std::atomic<bool> stopping, stopped;
  static std::atomic<int> pending{1};
  const auto leave = [] {
    if (--pending == 0) stopped = true;
  };
  in_parallel(n, [&](int i) {
    if (i == 0) {
      stopping = true;
      leave();
    } else {
      if (stopping) return;
      ++pending;
      assert(!stopped);
      leave();
    }
  });
}

/// All of them take the left fork first.
void philosophers(int n) {
  static std::vector<std::mutex> forks(64);
  in_parallel(n, [n](int i) {
    const std::lock_guard left(forks[i]);
    const std::lock_guard right(forks[(i + 1) % n]);
  });
}

/// One notification for two kinds of waiters.
void lost_signal(int) {
  static std::mutex lock;
  static std::condition_variable changed;
  static std::deque<int> items;
  constexpr std::size_t kRoom = 1;
  in_parallel(4, [](int i) {
    for (int j = 0; j < 2; ++j) {
      std::unique_lock guard(lock);
      if (i % 2 == 0) {
        changed.wait(guard, [] { return items.size() < kRoom; });
        items.push_back(j);
      } else {
        changed.wait(guard, [] { return !items.empty(); });
        items.pop_front();
      }
      changed.notify_one();
    }
  });
}

/// One of n threads counts under another lock.
void wrong_lock(int n) {
  static std::mutex right, wrong;
  static std::atomic<int> count;
  in_parallel(n, [n](int i) {
    const std::lock_guard guard(i == n - 1 ? wrong : right);
    const int before = count;
    count = before + 1;
  });
  assert(count == n);
}

/// Every thread hands on the token of its right neighbour: it arrives only if all of them come one after the other,
/// the last first.
void ring(int n) {
  static std::atomic<int> token[64];
  token[n] = 1;
  in_parallel(n, [](int i) { token[i] = token[i + 1].load(); });
  assert(token[0] == 0);
}

/// One store beside n steps that nothing depends on and a load: seldom, at random, it comes after all of them.
void beside(int n) {
  static std::atomic<int> flag;
  in_parallel(2, [n](int i) {
    if (i == 0) {
      flag = 1;
    } else {
      std::atomic<int> own;
      for (int j = 0; j < n; ++j) own = j;
      assert(flag == 1);
    }
  });
}

struct Known {
  const char* name;
  void (*run)(int);
};
const Known kKnown[] = {{"reorder", reorder},
                        {"two_stages", two_stages},
                        {"deque", deque},
                        {"aba", aba},
                        {"account", account},
                        {"driver", driver},
                        {"philosophers", philosophers},
                        {"lost_signal", lost_signal},
                        {"wrong_lock", wrong_lock},
                        {"ring", ring},
                        {"beside", beside}};

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 2 ? std::atoi(argv[2]) : 0;
  for (const Known& known : kKnown)
    if (argc > 1 && std::strcmp(argv[1], known.name) == 0) {
      known.run(n);
      return 0;
    }
  return 2;
}

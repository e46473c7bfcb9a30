#include "support/random_program.hpp"

#include <fmt/format.h>

#include "core/random.hpp"

namespace mazurka::testing {
namespace {

constexpr const char* kPrelude = R"(#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mazurka/mazurka.h"

static atomic_int x, y;
static int p, q;  // used inside atomic sections only
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static sem_t s;
static void initialise(void) { x = 3; }
static long futex(atomic_int* word, int operation, int value) {
  return syscall(SYS_futex, word, operation, value, 0, 0, 0);
}
)";

/// Writes one program. What may block and how often is kept small, so that all interleavings can be tried.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed), seed_(seed), flavour_(random_.below(8)) {}

  std::string write() {
    const auto threads = 2 + static_cast<unsigned>(random_.below(2));
    for (unsigned t = 0; t < threads; ++t) {
      text_ += fmt::format("static void* thread_{}_{}(void* unused) {{\n  (void)unused;\n", seed_, t);
      budget_ = threads == 2 ? 4 : 3;
      held_.clear();
      while (budget_ > 0 && random_.below(8) != 0) statement(1);
      text_ += "  return 0;\n}\n";
    }
    text_ += fmt::format("static int program_{}(void) {{\n  pthread_t t[{}];\n  sem_init(&s, 0, {});\n", seed_, threads,
                         random_.below(2));
    for (unsigned t = 0; t < threads; ++t)
      text_ += fmt::format("  pthread_create(&t[{0}], 0, thread_{1}_{0}, 0);\n", t, seed_);
    budget_ = 1;
    held_.clear();
    if (random_.below(4) == 0) statement(1);
    if (random_.below(2) == 0) {
      for (unsigned t = 0; t < threads; ++t) text_ += fmt::format("  pthread_join(t[{}], 0);\n", t);
      budget_ = 1;
      statement(1);
    }
    text_ += "  return 0;\n}\n";
    return std::move(text_);
  }

 private:
  const char* variable() { return random_.below(3) == 0 ? "y" : "x"; }
  const char* mutex() { return random_.below(3) == 0 ? "n" : "m"; }
  int value() { return static_cast<int>(random_.below(3)); }

  void line(unsigned depth, const std::string& words) { text_ += std::string(2 * depth, ' ') + words + '\n'; }
  void block(unsigned depth, const std::string& head, const std::string& after = "") {
    line(depth, head + " {");
    statement(depth + 1);
    if (!after.empty()) line(depth + 1, after);
    line(depth, "}");
  }

  void access(unsigned depth) {
    switch (random_.below(5)) {
      case 0:
      case 1: return line(depth, fmt::format("{} = {};", variable(), value()));
      case 2: return line(depth, fmt::format("(void)atomic_load(&{});", variable()));
      case 3: return line(depth, fmt::format("atomic_fetch_add(&{}, 1);", variable()));
      default:
        return line(depth, fmt::format("{{ int expected = {}; atomic_compare_exchange_strong(&{}, &expected, {}); }}",
                                       value(), variable(), value()));
    }
  }

  /// One or more visible steps. Each program has a flavour: one kind of object that it likes.
  void statement(unsigned depth) {
    if (budget_ == 0) return line(depth, ";");
    --budget_;
    if (depth < 3 && random_.below(7) == 0)
      return block(depth, fmt::format("if (atomic_load(&{}) == {})", variable(), value()));
    if (random_.below(12) == 0) return block(depth, "if (mazurka_choose(2) == 1)");
    if (random_.below(24) == 0) return line(depth, fmt::format("assert(atomic_load(&{}) != 2);", variable()));
    if (random_.below(24) == 0) return line(depth, fmt::format("mazurka_assume(atomic_load(&{}) != 1);", variable()));
    if (random_.below(2) == 0) return access(depth);
    switch (flavour_) {
      case 0: return mutexes(depth);
      case 1: return conditions(depth);
      case 2: return read_write_locks(depth);
      case 3: return semaphores(depth);
      case 4: return futexes(depth);
      case 5:
      case 6: return sections(depth);
      default: return access(depth);
    }
  }

  void mutexes(unsigned depth) {
    if (held_.size() > 1) return access(depth);
    std::string name = mutex();
    if (name == held_) name = name == "m" ? "n" : "m";
    const std::string unlock = fmt::format("pthread_mutex_unlock(&{});", name);
    switch (random_.below(6)) {
      case 0:
        return line(
            depth, fmt::format("if (pthread_mutex_trylock(&{0}) == 0) {{ {1} = 1; pthread_mutex_unlock(&{0}); }}", name,
                               variable()));
      case 1:
        return line(depth, fmt::format("if (pthread_mutex_trylock(&{}) == 0) pthread_mutex_unlock(&{});", name, name));
      case 2: return line(depth, "pthread_once(&o, initialise);");
      default:
        line(depth, fmt::format("pthread_mutex_lock(&{});", name));
        held_ += name;
        statement(depth);
        if (random_.below(8) == 0) return;  // a lock that is kept is a deadlock for others
        line(depth, unlock);
        held_.erase(held_.find(name), 1);
    }
  }

  void conditions(unsigned depth) {
    switch (random_.below(5)) {
      case 0: return line(depth, "pthread_cond_signal(&c);");
      case 1: return line(depth, "pthread_cond_broadcast(&c);");
      case 2: return line(depth, "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);");
      default:
        return line(depth, fmt::format("pthread_mutex_lock(&m); {}pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                                       random_.below(2) == 0 ? "if (x == 0) " : ""));
    }
  }

  void read_write_locks(unsigned depth) {
    const bool keep = random_.below(8) == 0;
    switch (random_.below(5)) {
      case 0: return block(depth, "if (pthread_rwlock_tryrdlock(&l) == 0)", keep ? "" : "pthread_rwlock_unlock(&l);");
      case 1: return block(depth, "if (pthread_rwlock_trywrlock(&l) == 0)", keep ? "" : "pthread_rwlock_unlock(&l);");
      default:
        line(depth, random_.below(3) == 0 ? "pthread_rwlock_wrlock(&l);" : "pthread_rwlock_rdlock(&l);");
        if (random_.below(2) == 0) statement(depth);
        if (!keep) line(depth, "pthread_rwlock_unlock(&l);");
    }
  }

  void semaphores(unsigned depth) {
    switch (random_.below(4)) {
      case 0: return line(depth, "sem_wait(&s);");
      case 1: return line(depth, "if (sem_trywait(&s) == 0) x = 1;");
      default: return line(depth, "sem_post(&s);");
    }
  }

  void futexes(unsigned depth) {
    switch (random_.below(4)) {
      case 0:
        return line(depth, fmt::format("futex(&x, FUTEX_WAKE_PRIVATE, {});", random_.below(2) == 0 ? "1" : "INT_MAX"));
      case 1: return line(depth, "x = 1; futex(&x, FUTEX_WAKE_PRIVATE, 1);");
      default: return line(depth, fmt::format("futex(&x, FUTEX_WAIT_PRIVATE, {});", random_.below(2)));
    }
  }

  /// Loads and stores, atomic and plain, choices and assumptions that nobody can interrupt.
  void sections(unsigned depth) {
    line(depth, "mazurka_atomic_begin();");
    for (std::uint64_t i = 0, n = 1 + random_.below(3); i < n; ++i) {
      switch (random_.below(9)) {
        case 0: line(depth, fmt::format("if (mazurka_choose(2) == 1) {} = {};", variable(), value())); break;
        case 1: line(depth, fmt::format("mazurka_assume({} == {});", shared(), value())); break;
        case 2: line(depth, fmt::format("if ({} == {}) {} = {};", shared(), value(), shared(), value())); break;
        case 3: line(depth, fmt::format("{} = {};", shared(), value())); break;
        case 4: line(depth, fmt::format("{} = {};", shared(), shared())); break;
        case 5: line(depth, "p++;"); break;
        case 6: line(depth, fmt::format("{} = (int)mazurka_choose({});", shared(), 2 + random_.below(2))); break;
        case 7: line(depth, fmt::format("if ({} == 2) mazurka_assume({} == 0);", shared(), shared())); break;
        default: access(depth);
      }
    }
    // After an assumption: a lock cannot be taken back.
    if (random_.below(8) == 0) line(depth, "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);");
    if (random_.below(16) == 0) line(depth, fmt::format("assert({} != 2);", shared()));
    line(depth, "mazurka_atomic_end();");
  }
  const char* shared() {
    constexpr const char* kNames[] = {"x", "y", "p", "q"};
    return kNames[random_.below(4)];
  }

  SplitMix64 random_;
  std::uint64_t seed_;
  std::uint64_t flavour_;
  unsigned budget_ = 0;
  std::string held_;  // the mutexes that the thread has
  std::string text_;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Writer(seed).write(); }

std::string random_programs(std::uint64_t first, std::uint64_t count) {
  std::string text = kPrelude;
  for (std::uint64_t seed = first; seed < first + count; ++seed) text += random_program(seed);
  text += "int main(int argc, char** argv) {\n  switch (argc > 1 ? atoi(argv[1]) : 0) {\n";
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    text += fmt::format("    case {0}: return program_{0}();\n", seed);
  return text + "  }\n  return 2;\n}\n";
}

}  // namespace mazurka::testing

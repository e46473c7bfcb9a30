// If plain accesses are scheduling points: free, initialisation and destruction are too, every access of the source is
// one, and the first allocation has the same address in every execution.
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "program/compiler.hpp"
#include "program/executor.hpp"
#include "support/exhaustive.hpp"
#include "support/failure_key.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;
using protocol::Isolation;
using protocol::Plain;

class Lifetimes : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { setenv("MAZURKA_CC", GetParam(), 1); }
  void TearDown() override { unsetenv("MAZURKA_CC"); }

  Configuration compiled(const std::string& text, const std::vector<std::string>& flags = {"-w"}) {
    const fs::path source = folder_ / fmt::format("program{}.c", count_++);
    std::ofstream(source) << text;
    Configuration configuration;
    configuration.binary = compile_program(source.string(), flags, folder_.string());
    configuration.settings.plain = Plain::Explore;
    return configuration;
  }

  /// The kinds of errors among all executions.
  static std::set<std::string> errors(const Configuration& configuration) {
    ProgramExecutor executor(configuration);
    std::set<std::string> kinds;
    testing::Exhaustive(executor, [&](const Execution& e) {
      if (e.failure) kinds.insert(name(e.failure.kind));
      EXPECT_NE(e.outcome, Outcome::Diverged) << testing::failure_key(e);
    }).run();
    return kinds;
  }

  TemporaryFolder temporary_;
  fs::path folder_ = temporary_.path();
  int count_ = 0;
};

constexpr const char* kPrelude = R"(#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
struct all { int x; pthread_mutex_t m; pthread_cond_t c; pthread_rwlock_t l; pthread_barrier_t b; sem_t s;
             pthread_spinlock_t p; mtx_t t; cnd_t d; char text[600]; };
static struct all* a;
static void* volatile page;
)";

struct Scenario {
  const char* one;
  const char* other;
  std::set<std::string> kinds;
};

/// Two threads, after everything in the block has been initialised.
std::string program(const Scenario& scenario) {
  return fmt::format(
      "{}static void* one(void* unused) {{ {}; return unused; }}\n"
      "static void* other(void* unused) {{ {}; return unused; }}\n"
      "int main(void) {{\n  pthread_t t[2];\n  a = calloc(1, sizeof *a);\n  page = mmap(0, 4096, 3, 0x22, -1, 0);\n"
      "  pthread_mutex_init(&a->m, 0); pthread_cond_init(&a->c, 0); pthread_rwlock_init(&a->l, 0);\n"
      "  pthread_barrier_init(&a->b, 0, 1); sem_init(&a->s, 0, 1); pthread_spin_init(&a->p, 0);\n"
      "  mtx_init(&a->t, mtx_plain); cnd_init(&a->d);\n"
      "  pthread_create(&t[0], 0, one, 0);\n  pthread_create(&t[1], 0, other, 0);\n"
      "  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);\n}}\n",
      kPrelude, scenario.one, scenario.other);
}

const std::string kFreed = "use-after-free";
const std::string kGone = "use-after-destroy";
const std::string kInUse = "destroy-in-use";

TEST_P(Lifetimes, RaceWithEveryUse) {
  const std::vector<Scenario> scenarios{
      {"a->x = 1", "free(a)", {kFreed}},
      {"(void)*(volatile int*)&a->x", "free(a)", {kFreed}},
      {"__atomic_fetch_add(&a->x, 1, 5)", "free(a)", {kFreed}},
      {"memset(a->text, 1, 600)", "free(a)", {kFreed}},
      {"volatile size_t n = strlen(a->text)", "free(a)", {kFreed}},
      {"free(a)", "free(a)", {"double-free"}},
      {"struct all* old = a; a = realloc(old, 4096)", "struct all* old = a; old->x = 1", {kFreed}},
      {"*(int*)page = 1", "munmap(page, 4096)", {kFreed}},
      {"munmap(page, 4096)", "munmap(page, 4096)", {}},
      {"pthread_mutex_lock(&a->m); pthread_mutex_unlock(&a->m)", "free(a)", {kFreed}},
      {"pthread_mutex_lock(&a->m); pthread_mutex_unlock(&a->m)", "pthread_mutex_destroy(&a->m)", {kGone, kInUse}},
      {"pthread_mutex_destroy(&a->m)", "pthread_mutex_destroy(&a->m)", {kGone}},
      {"pthread_mutex_lock(&a->m); pthread_mutex_unlock(&a->m)", "pthread_mutex_init(&a->m, 0)", {"foreign-unlock"}},
      {"pthread_mutex_lock(&a->m); pthread_mutex_unlock(&a->m)", "memset(&a->m, 0, sizeof a->m)", {"foreign-unlock"}},
      {"mtx_lock(&a->t); mtx_unlock(&a->t)", "mtx_destroy(&a->t)", {kGone, kInUse}},
      {"cnd_signal(&a->d)", "cnd_destroy(&a->d)", {kGone}},
      {"pthread_cond_broadcast(&a->c)", "pthread_cond_destroy(&a->c)", {kGone}},
      {"pthread_rwlock_rdlock(&a->l); pthread_rwlock_unlock(&a->l)", "pthread_rwlock_destroy(&a->l)", {kGone, kInUse}},
      {"pthread_barrier_wait(&a->b)", "pthread_barrier_destroy(&a->b)", {kGone}},
      {"sem_post(&a->s)", "sem_destroy(&a->s)", {kGone}},
      {"sem_wait(&a->s)", "sem_destroy(&a->s)", {kGone}},
      {"pthread_spin_lock(&a->p); pthread_spin_unlock(&a->p)", "pthread_spin_destroy(&a->p)", {kGone, kInUse}},
      // One of several kinds, but never none: a waiter in a block that is freed.
      {"pthread_mutex_lock(&a->m); a->x = 1; pthread_cond_signal(&a->c); pthread_mutex_unlock(&a->m)",
       "pthread_mutex_lock(&a->m); while (!a->x) pthread_cond_wait(&a->c, &a->m); pthread_mutex_unlock(&a->m); "
       "pthread_mutex_destroy(&a->m)",
       {}},
  };
  for (const Scenario& scenario : scenarios) {
    Configuration configuration = compiled(program(scenario));
    EXPECT_EQ(errors(configuration), scenario.kinds) << scenario.one << " || " << scenario.other;
    configuration.settings.isolation = Isolation::Fork;
    if (scenario.kinds.size() == 1) {
      EXPECT_EQ(errors(configuration), scenario.kinds) << scenario.one << " || " << scenario.other << " (fork)";
    }
  }
}

// A woken waiter no longer needs the condition variable, and a barrier may be re-initialised while threads leave it.
TEST_P(Lifetimes, MayEndWhereNobodyUsesTheObject) {
  const Scenario woken{
      "pthread_mutex_lock(&a->m); while (!a->x) pthread_cond_wait(&a->c, &a->m); "
      "pthread_mutex_unlock(&a->m)",
      "pthread_mutex_lock(&a->m); a->x = 1; pthread_cond_broadcast(&a->c); "
      "pthread_mutex_unlock(&a->m)",
      {}};
  EXPECT_EQ(errors(compiled(program(woken))), woken.kinds);
  std::string barrier = program({"pthread_barrier_wait(&a->b)",
                                 "if (pthread_barrier_wait(&a->b)) { pthread_barrier_destroy(&a->b); "
                                 "pthread_barrier_init(&a->b, 0, 2); }",
                                 {}});
  barrier.replace(barrier.find("&a->b, 0, 1"), 11, "&a->b, 0, 2");
  EXPECT_EQ(errors(compiled(barrier)), std::set<std::string>{});
}

// A copy reads in one step and writes in another, each at its own time.
TEST_P(Lifetimes, CopiesReadAndWriteInTheirSteps) {
  const Configuration configuration = compiled(
      "#include <pthread.h>\n#include <stdio.h>\n#include <string.h>\nstatic char from[300], to[300];\n"
      "static int seen;\nstatic void* copy(void* u) { memcpy(to, from, 300); return u; }\n"
      "int main(void) {\n  pthread_t t;\n  to[0] = 5;\n  pthread_create(&t, 0, copy, 0);\n  from[0] = 1;\n"
      "  seen = to[0];\n  pthread_join(t, 0);\n  printf(\"%d%d\", seen, to[0]);\n}\n",
      {"-w", "-fno-builtin-memcpy"});
  ProgramExecutor executor(configuration);
  std::set<std::string> outputs;
  testing::Exhaustive(executor, [&](const Execution& execution) { outputs.insert(execution.output); }).run();
  EXPECT_EQ(outputs, (std::set<std::string>{"00", "11", "50", "51"}));
}

// What the C library allocates for new threads must not shift the program's own blocks.
TEST_P(Lifetimes, TheFirstBlockHasOneAddress) {
  for (const int threads : {12, 30, 100}) {
    const Configuration configuration = compiled(
        "#include <pthread.h>\n#include <stdlib.h>\nstatic pthread_mutex_t* m;\n"
        "static void* run(void* u) { pthread_mutex_lock(m); pthread_mutex_unlock(m); return u; }\n"
        "int main(void) {\n  pthread_t t[N];\n  m = malloc(sizeof *m);\n  pthread_mutex_init(m, 0);\n"
        "  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, run, 0);\n"
        "  for (int i = 0; i < N; i++) pthread_join(t[i], 0);\n}\n",
        {fmt::format("-DN={}", threads)});
    for (const Isolation isolation : {Isolation::Memory, Isolation::Fork}) {
      Configuration isolated = configuration;
      isolated.settings.isolation = isolation;
      ProgramExecutor executor(isolated);
      std::set<std::uint64_t> mutexes;
      for (int i = 0; i < 3; ++i)
        for (const Event& event : executor.run({}).events)
          if (event.operation.kind == OperationKind::MutexLock) mutexes.insert(event.operation.object);
      EXPECT_EQ(mutexes.size(), 1U) << threads << " threads";
    }
  }
}

/// A statement on shared variables, and its number of plain loads and stores.
struct Accesses {
  const char* statement;
  int loads;
  int stores;
};

// Accesses that optimisation would remove: dead, repeated and redundant ones of all kinds of shared variables.
TEST_P(Lifetimes, EveryAccessOfTheSourceIsAStep) {
  const std::vector<Accesses> table{
      {"int r = x", 1, 0},
      {"int r = x; r = x", 2, 0},
      {"x = 1; x = 2", 0, 2},
      {"x = 1; if (x != 1) abort()", 1, 1},
      {"x = x", 1, 1},
      {"x++", 1, 1},
      {"x += 2; x -= 2", 2, 2},
      {"put(get())", 1, 1},
      {"put(get() + get())", 2, 1},
      {"s.a = 1; s.a = s.b", 1, 2},
      {"struct S* q = &s; q->a = q->b; q->a = q->b", 2, 2},
      {"p->a = 3; p->a = 3", 2, 2},  // and p is loaded
      {"a[0] = a[1]; a[0] = a[1]", 2, 2},
      {"for (int i = 0; i < 3; i++) a[0] += a[i]", 6, 3},
      {"if (x) x = 1; else x = 2", 1, 1},
      {"int r = x ? x : y", 2, 0},  // x is zero
      {"int r = x && y", 1, 0},
      {"char c = ((char*)&x)[1]", 1, 0},
      {"long r = *(long*)((char*)a + 2)", 1, 0},
      {"d = d * 2", 1, 1},
      {"int* b = malloc(4); *b = 1; free(b)", 0, 1},
      {"u.l = 1; int r = u.i", 1, 1},
      {"__extension__ __int128 r = w; w = r", 1, 1},
  };
  std::string text =
      "#include <pthread.h>\n#include <stdlib.h>\nstruct S { int a, b; } s, *p = &s;\nint x, y, a[6];\ndouble d;\n"
      "union { long l; int i; } u;\n__extension__ __int128 w;\nstatic inline int get(void) { return x; }\n"
      "static inline void put(int v) { x = v; }\n";
  int number = 0;
  for (const Accesses& row : table) text += fmt::format("static void f{}(void) {{ {}; }}\n", number++, row.statement);
  text += "int main(int n, char** v) {\n  switch (atoi(v[1])) {\n";
  for (int i = 0; i < number; ++i) text += fmt::format("    case {0}: f{0}(); break;\n", i);
  Configuration configuration = compiled(text + "  }\n  return 0;\n}\n");
  for (int i = 0; i < number; ++i) {
    configuration.arguments = {std::to_string(i)};
    ProgramExecutor executor(configuration);
    int loads = 0;
    int stores = 0;
    for (const Event& event : executor.run({}).events) {
      const bool plain = (event.operation.flags & kPlain) != 0;
      // The arguments of main are on the boot heap, its locals on its stack.
      const bool shared = event.operation.object < 0x1000'0000'0000 || event.operation.object > 0x5000'0000'0000 ||
                          event.operation.kind == OperationKind::Store;
      loads += plain && shared && event.operation.kind == OperationKind::Load ? 1 : 0;
      stores += plain && shared && event.operation.kind == OperationKind::Store ? 1 : 0;
    }
    EXPECT_EQ(loads, table[i].loads) << table[i].statement;
    EXPECT_EQ(stores, table[i].stores) << table[i].statement;
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, Lifetimes, ::testing::Values("gcc", "clang"),
                         [](const auto& compiler) { return std::string(compiler.param); });

}  // namespace
}  // namespace mazurka::program

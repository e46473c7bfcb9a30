#include "support/random_lives.hpp"

#include <array>

#include <fmt/format.h>

#include "core/random.hpp"

namespace mazurka::testing {
namespace {

constexpr const char* kDeclarations = R"(#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct shared {
  int x, y;
  atomic_int a;
  pthread_mutex_t m;
  sem_t s;
  pthread_rwlock_t l;
  pthread_spinlock_t p;
  pthread_barrier_t b;
  pthread_cond_t c;
  char text[8];
};
static struct shared* volatile q;
static int* volatile r;
)";

/// What a thread may do, by flavour: a program is about one kind of object.
constexpr std::array<const char*, 12> kFlavours[] = {
    {"d->x = 1;", "(void)*(volatile int*)&d->x;", "d->y++;", "d->a = 1;", "free(d);", "r = malloc(4);", "*r = 2;",
     "free(r);", "memset(d->text, 1, 3);", "strcpy(d->text, \"ab\");", "d = realloc(d, sizeof *d + 16);",
     "atomic_fetch_add(&d->a, 1);"},
    {"d->y = 1;", "d->a = 2;", "pthread_mutex_init(&d->m, 0);", "pthread_mutex_destroy(&d->m);",
     "if (pthread_mutex_trylock(&d->m) == 0) pthread_mutex_unlock(&d->m);", "d->x = 1;", "free(d);",
     "memset(&d->m, 0, sizeof d->m);", "pthread_mutex_lock(&d->m); d->x++; pthread_mutex_unlock(&d->m);", "d->a = 1;",
     "pthread_mutex_lock(&d->m); pthread_mutex_unlock(&d->m);", "d->y = 2;"},
    {"sem_post(&d->s);", "sem_wait(&d->s);", "sem_init(&d->s, 0, 1);", "sem_destroy(&d->s);", "sem_trywait(&d->s);",
     "sem_post(&d->s);", "free(d);", "d->x = 1;", "sem_init(&d->s, 0, 0);", "d->a = 1;", "sem_wait(&d->s);",
     "memset(&d->s, 0, sizeof d->s);"},
    {"pthread_rwlock_rdlock(&d->l); pthread_rwlock_unlock(&d->l);", "d->y++;", "d->x++;", "d->a = 2;",
     "pthread_rwlock_init(&d->l, 0);", "pthread_rwlock_destroy(&d->l);", "free(d);", "d->x = 1;",
     "if (pthread_rwlock_trywrlock(&d->l) == 0) pthread_rwlock_unlock(&d->l);", "d->a = 1;",
     "pthread_rwlock_wrlock(&d->l); pthread_rwlock_unlock(&d->l);", "d->y = 1;"},
    {"pthread_barrier_wait(&d->b);", "pthread_barrier_wait(&d->b);", "pthread_barrier_destroy(&d->b);",
     "pthread_barrier_init(&d->b, 0, 1);", "pthread_barrier_init(&d->b, 0, 2);", "free(d);", "d->x = 1;", "d->a = 1;",
     "pthread_spin_lock(&d->p); pthread_spin_unlock(&d->p);", "pthread_spin_init(&d->p, 0);",
     "pthread_spin_destroy(&d->p);", "pthread_spin_trylock(&d->p);"},
    {"pthread_mutex_lock(&d->m); pthread_cond_wait(&d->c, &d->m); pthread_mutex_unlock(&d->m);",
     "pthread_cond_signal(&d->c);", "pthread_cond_broadcast(&d->c);", "pthread_cond_destroy(&d->c);",
     "pthread_cond_init(&d->c, 0);", "free(d);", "pthread_mutex_destroy(&d->m);", "pthread_cond_broadcast(&d->c);",
     "syscall(SYS_futex, &d->a, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);", "d->a = 1;",
     "syscall(SYS_futex, &d->a, FUTEX_WAIT_PRIVATE, 1, 0, 0, 0);", "d->x = 1;"},
};

}  // namespace

std::string random_life(std::uint64_t seed) {
  SplitMix64 random(seed);
  const auto& flavour = kFlavours[random.below(std::size(kFlavours))];
  const auto threads = 2 + static_cast<unsigned>(random.below(2));
  std::string text;
  const auto statements = [&](std::uint64_t most) {
    for (std::uint64_t i = 0, count = 1 + random.below(most); i < count; ++i)
      text += fmt::format("  {}\n", flavour[random.below(flavour.size())]);
  };
  for (unsigned t = 0; t < threads; ++t) {
    text += fmt::format("static void* thread_{}_{}(void* p) {{\n  struct shared* d = p;\n", seed, t);
    statements(threads == 2 ? 3 : 2);
    text += "  return 0;\n}\n";
  }
  text += fmt::format(
      "static int program_{}(void) {{\n  pthread_t t[{}];\n  struct shared* d = q = calloc(1, sizeof *d);\n"
      "  r = malloc(sizeof(int));\n  pthread_barrier_init(&d->b, 0, {});\n  sem_init(&d->s, 0, {});\n",
      seed, threads, 1 + random.below(2), random.below(2));
  for (unsigned t = 0; t < threads; ++t)
    text += fmt::format("  pthread_create(&t[{0}], 0, thread_{1}_{0}, d);\n", t, seed);
  if (random.below(3) == 0) statements(1);
  for (unsigned t = 0; t < threads; ++t) text += fmt::format("  pthread_join(t[{}], 0);\n", t);
  if (random.below(3) == 0) text += "  free(d);\n";
  return text + "  return 0;\n}\n";
}

std::string random_lives(std::uint64_t first, std::uint64_t count) {
  std::string text = kDeclarations;
  for (std::uint64_t seed = first; seed < first + count; ++seed) text += random_life(seed);
  text += "int main(int argc, char** argv) {\n  switch (argc > 1 ? atoi(argv[1]) : 0) {\n";
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    text += fmt::format("    case {0}: return program_{0}();\n", seed);
  return text + "  }\n  return 2;\n}\n";
}

}  // namespace mazurka::testing

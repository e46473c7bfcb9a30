// Loops that wait cost nothing whatever the compiler makes of them: without optimisation what they read goes through
// temporaries on the stack.
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;

class SpinLocksBy : public mazurka::testing::CommandLine,
                    public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  /// Makes ./program.
  void build(const std::string& source, const std::string& kind) const {
    const auto& [compiler, level] = GetParam();
    const std::string command = std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -g " + level +
                                " -DKIND=" + kind + " " MAZURKA_SOURCE_DIR "/tests/programs/" + source + " -o program";
    ASSERT_EQ(shell(command).exit_code, 0) << command;
  }
};
INSTANTIATE_TEST_SUITE_P(All, SpinLocksBy,
                         ::testing::Combine(::testing::Values("gcc", "clang"), ::testing::Values("-O0", "-O2")));

/// What a thread does after its wait may fail at once, before its next step: whether it waits for such a value is tried
/// in a process of its own, where that must not count as a failure of the execution.
TEST_P(SpinLocksBy, FailAfterTheWait) {
  write("fails.c", R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int flag;
static void *look(void *p) {
  for (;;) {
    int found = atomic_load(&flag);
    if (found == 2) return p;
    if (found == 1) FAIL;
  }
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  atomic_store(&flag, 1);
  atomic_store(&flag, 2);
  return pthread_join(thread, 0);
}
)");
  const auto& [compiler, level] = GetParam();
  for (const char* fail : {"abort()", "assert(found != 1)", "exit(3)", "*(volatile int *)8 = 1"}) {
    const std::string command = std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -g " + level +
                                " '-DFAIL=" + fail + "' fails.c -o program";
    ASSERT_EQ(shell(command).exit_code, 0) << command;
    for (const char* options : {"--algorithm=optimal", "--algorithm=unfolding", "--algorithm=unfolding --cutoffs"})
      EXPECT_EQ(mazurka(std::string("check --quiet --keep-going ./program ") + options).exit_code, 1)
          << fail << ' ' << options;
  }
}

TEST_P(SpinLocksBy, HaveOneExecutionForEachOrder) {
  for (const char* kind : {"0", "1", "2"}) {
    build("spin_locks.c", kind);
    for (const char* algorithm : {"optimal", "unfolding"}) {
      const Answer answer = mazurka(std::string("check --json ./program --algorithm=") + algorithm);
      ASSERT_EQ(answer.exit_code, 0) << answer.out;
      const auto result = nlohmann::json::parse(answer.out);
      EXPECT_EQ(result["executions"], 6) << kind << ' ' << algorithm;
      EXPECT_EQ(result["cut"], 0) << kind << ' ' << algorithm;
      EXPECT_EQ(result["blocked"], 0) << kind << ' ' << algorithm;
    }
  }
}

TEST_P(SpinLocksBy, LoopsThatRememberDoNotForget) {
  for (const char* kind : {"0", "1", "2"}) {
    build("loop_memory.c", kind);
    EXPECT_EQ(mazurka("check --quiet ./program").exit_code, 1) << kind;
    EXPECT_EQ(mazurka("check --quiet --algorithm=unfolding ./program").exit_code, 1) << kind;
  }
}

/// What a loop remembers may lie in the frame of a library.
TEST_P(SpinLocksBy, LoopsOfLibrariesDoNotForget) {
  write("rounds.c", R"(
#include <stdatomic.h>
int rounds(atomic_int *flag, const int *most) {
  int count = 0;
  while (atomic_load(flag) == 0)
    if (count < *most) ++count;
  return count;
}
)");
  write("main.c", R"(
#include <pthread.h>
#include <stdatomic.h>
int rounds(atomic_int *flag, const int *most);
static atomic_int flag;
static void *set(void *p) {
  atomic_store(&flag, 1);
  return p;
}
int main(void) {
  pthread_t thread;
  int most = 2;
  pthread_create(&thread, 0, set, 0);
  const int count = rounds(&flag, &most);
  most = 0;
  pthread_join(thread, 0);
  return count;
}
)");
  const auto& [compiler, level] = GetParam();
  const std::string compile = std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -g " + level;
  ASSERT_EQ(shell(compile + " -shared -fPIC rounds.c -o librounds.so").exit_code, 0);
  ASSERT_EQ(shell(compile + " main.c ./librounds.so -o program").exit_code, 0);
  for (const char* algorithm : {"optimal", "source", "observers", "unfolding"}) {
    const Answer answer = mazurka(std::string("check --json --keep-going ./program --algorithm=") + algorithm);
    ASSERT_EQ(answer.exit_code, 1) << answer.out;
    const auto result = nlohmann::json::parse(answer.out);
    // Stack slots of a library are not known to be dead: one that clang spills to at -O0 repeats a round later.
    const int rounds = std::string(compiler) == "clang" && std::string(level) == "-O0" ? 3 : 2;
    EXPECT_EQ(result["executions"], 1 + rounds) << algorithm;
    EXPECT_EQ(result["failed_executions"], rounds) << algorithm;
  }
}

/// Nor does the signal mask lie in memory.
TEST_P(SpinLocksBy, LoopsThatChangeTheSignalMaskDoNotForget) {
  write("mask.c", R"(
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
static atomic_int flag;
static void *set(void *p) {
  atomic_store(&flag, 1);
  return p;
}
int main(void) {
  pthread_t thread;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_create(&thread, 0, set, 0);
  while (atomic_load(&flag) == 0) pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_join(thread, 0);
  pthread_sigmask(SIG_BLOCK, 0, &signals);
  return sigismember(&signals, SIGUSR1);
}
)");
  const auto& [compiler, level] = GetParam();
  const std::string command =
      std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -g " + level + " mask.c -o program";
  ASSERT_EQ(shell(command).exit_code, 0) << command;
  for (const char* algorithm : {"optimal", "unfolding"})
    EXPECT_EQ(mazurka(std::string("check --quiet ./program --algorithm=") + algorithm).exit_code, 1) << algorithm;
}

/// While a thread waits in a queue, others may still read what it overwrites after that.
TEST_P(SpinLocksBy, VariablesStayWhileTheirThreadWaits) {
  write("waits.c", R"(
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *shared, stop;
static void *poll(void *p) {
  struct timespec date = {2000000000, 0};
  int variable = 5;
  pthread_mutex_lock(&mutex);
  shared = &variable;
  while (!stop) {
    pthread_cond_timedwait(&changed, &mutex, &date);
    variable = 7;
  }
  pthread_mutex_unlock(&mutex);
  return p;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, poll, 0);
  pthread_mutex_lock(&mutex);
  const int seen = shared ? *shared : 5;
  stop = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  assert(seen == 5 || seen == 7);
  return seen == 7;
}
)");
  const auto& [compiler, level] = GetParam();
  const std::string command =
      std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -g " + level + " waits.c -o program";
  ASSERT_EQ(shell(command).exit_code, 0) << command;
  EXPECT_EQ(mazurka("check --quiet --exit-status=ignore ./program").exit_code, 0);
  EXPECT_EQ(mazurka("check --quiet ./program").exit_code, 1);
}

}  // namespace

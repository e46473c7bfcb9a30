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

}  // namespace

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

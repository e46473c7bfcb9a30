// Loops that wait cost nothing whatever the compiler makes of them: without optimisation what they read goes through
// temporaries on the stack.
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;

class SpinLocksBy : public mazurka::testing::CommandLine,
                    public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(All, SpinLocksBy,
                         ::testing::Combine(::testing::Values("gcc", "clang"), ::testing::Values("-O0", "-O2")));

TEST_P(SpinLocksBy, HaveOneExecutionForEachOrder) {
  const auto& [compiler, level] = GetParam();
  for (const char* kind : {"0", "1", "2"}) {
    const std::string build = std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -g " + level +
                              " -DKIND=" + kind + " " MAZURKA_SOURCE_DIR "/tests/programs/spin_locks.c -o locks";
    ASSERT_EQ(shell(build).exit_code, 0) << build;
    for (const char* algorithm : {"optimal", "unfolding"}) {
      const Answer answer = mazurka(std::string("check --json ./locks --algorithm=") + algorithm);
      ASSERT_EQ(answer.exit_code, 0) << answer.out;
      const auto result = nlohmann::json::parse(answer.out);
      EXPECT_EQ(result["executions"], 6) << kind << ' ' << algorithm;
      EXPECT_EQ(result["cut"], 0) << kind << ' ' << algorithm;
      EXPECT_EQ(result["blocked"], 0) << kind << ' ' << algorithm;
    }
  }
}

}  // namespace

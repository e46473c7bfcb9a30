// Programs that wait in loops come to an end: a round that does nothing is no step. What is explored is the same in all
// algorithms, and whatever the loops are compiled to.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explorers/explored.hpp"
#include "program/program_test.hpp"
#include "walk/random.hpp"

namespace mazurka {
namespace {

struct Loop {
  std::string name;
  std::string threads;
  Explored expected;
};

class Loops : public ::testing::TestWithParam<Loop> {
 protected:
  static program::Configuration configure(const std::string& family) {
    return program::configure(family, "loops", {GetParam().name, GetParam().threads});
  }
};

TEST_P(Loops, EndInAllAlgorithms) {
  for (const char* family : {"gcc", "clang"})
    for (const auto plain : {protocol::Plain::Check, protocol::Plain::Ignore})
      for (int algorithm = 0; algorithm < 4; ++algorithm) {
        program::Configuration configuration = configure(family);
        configuration.settings.plain = plain;
        const Explored found = explore(configuration, algorithm);
        // How many loads a round of several has, and so how many ways there are to stop in one, is the compiler's
        // affair.
        if (GetParam().expected.cut == 0 || std::string(family) == "gcc") {
          EXPECT_EQ(found, GetParam().expected) << family << ", algorithm " << algorithm;
        } else {
          EXPECT_EQ(found.errors, GetParam().expected.errors) << family << ", algorithm " << algorithm;
        }
      }
}

TEST_P(Loops, DoNotDependOnHowExecutionsAreReset) {
  program::Configuration configuration = configure("gcc");
  configuration.settings.isolation = protocol::Isolation::Fork;
  EXPECT_EQ(explore(configuration, 1), GetParam().expected) << "with fork";
  configuration = configure("gcc");
  configuration.settings.checkpoints = 1;
  EXPECT_EQ(explore(configuration, 1), GetParam().expected) << "with many checkpoints";
  configuration.settings.checkpoints = 0;
  EXPECT_EQ(explore(configuration, 1), GetParam().expected) << "without checkpoints";
  configuration.workers = 2;
  EXPECT_EQ(explore(configuration, 1), GetParam().expected) << "with two workers";
}

TEST_P(Loops, EndAtRandom) {
  program::ProgramExecutor executor(configure("gcc"));
  Failures failures;
  walk::SamplingOptions options;
  options.executions = 20;
  const Statistics statistics = walk::explore_random(executor, options, failures);
  EXPECT_EQ(statistics.executions + statistics.cut, 20U);
  EXPECT_EQ(statistics.limited, 0U);
  for (const auto& [kind, count] : failures.kinds) EXPECT_TRUE(GetParam().expected.errors.contains(kind)) << kind;
}

const std::vector<Loop> kLoops = {
    {"ticket_lock", "4", {24, 0, {}}},
    {"test_and_set", "4", {24, 0, {}}},
    {"test_and_test_and_set", "2", {6, 0, {}}},
    {"compare_exchange", "4", {24, 0, {}}},
    {"clh", "3", {6, 0, {}}},
    {"mcs", "2", {6, 0, {}}},
    {"peterson", "2", {8, 6, {}}},
    {"dekker", "2", {11, 7, {}}},
    {"szymanski", "2", {29, 0, {}}},
    {"lamport", "2", {16, 0, {}}},
    {"sequence_lock", "2", {103, 60, {}}},  // the reader comes back after reads of three locations
    {"sense_barrier", "2", {8, 0, {}}},
    {"ring", "2", {9, 0, {}}},
    {"lock_and_look", "2", {8, 2, {}}},
    {"lock_and_look_in_vain", "2", {22, 1, {{"deadlock", 22}}}},
    {"try_lock", "3", {6, 15, {}}},
    {"try_semaphore", "3", {36, 39, {}}},
    {"try_semaphore_in_vain", "2", {1, 0, {{"deadlock", 1}}}},
    {"try_shared", "3", {4, 10, {}}},
    {"try_spin_lock", "3", {6, 15, {}}},
    {"counts_rounds", "2", {3, 0, {{"1", 1}, {"2", 1}}}},
    {"nobody_sets_it", "2", {1, 0, {{"deadlock", 1}}}},
    {"both_wait", "2", {1, 0, {{"deadlock", 1}}}},
    {"never_released", "2", {2, 0, {{"deadlock", 1}}}},
    {"back_off_in_turns", "2", {8, 2, {}}},
    {"assumed_ticket_lock", "4", {24, 0, {}}},
    {"assumed_test_and_set", "4", {24, 0, {}}},
    {"awaited_exchange", "4", {24, 0, {}}},
    {"assumed_in_vain", "2", {0, 1, {}}},
    {"assumed_later", "2", {1, 1, {}}},
    {"marked_loop", "2", {1, 0, {}}}};

INSTANTIATE_TEST_SUITE_P(Programs, Loops, ::testing::ValuesIn(kLoops),
                         [](const auto& loop) { return loop.param.name; });

TEST(IdleRounds, AreSeenByTheRaceDetector) {
  for (const char* family : {"gcc", "clang"})
    for (int algorithm = 0; algorithm < 4; ++algorithm) {
      program::Configuration configuration = program::configure(family, "loops", {"race_in_idle_rounds"});
      configuration.settings.plain = protocol::Plain::Check;
      EXPECT_TRUE(explore(configuration, algorithm).errors.contains("data race")) << family << ' ' << algorithm;
    }
}

TEST(IdleRounds, UseMemoryThatIsFreed) {
  for (const char* family : {"gcc", "clang"})
    for (const auto plain : {protocol::Plain::Check, protocol::Plain::Explore})
      for (int algorithm = 0; algorithm < 4; ++algorithm) {
        program::Configuration configuration = program::configure(family, "loops", {"freed_while_waiting"});
        configuration.settings.plain = plain;
        const std::map<std::string, int> errors = explore(configuration, algorithm).errors;
        EXPECT_TRUE(errors.contains("use-after-free")) << family << ' ' << algorithm;
        EXPECT_FALSE(errors.contains("deadlock")) << family << ' ' << algorithm;
      }
}

TEST(IdleRounds, AreStepsWhereTheUserWantsThat) {
  program::Configuration configuration = program::configure("gcc", "loops", {"nobody_sets_it"});
  configuration.settings.reduce_waits = false;
  program::ProgramExecutor executor(configuration);
  Job job;
  job.learns = true;
  job.max_steps = 100;
  EXPECT_EQ(executor.run(job).outcome, Outcome::Limit);
  EXPECT_EQ(executor.version(), 0U);
}

}  // namespace
}  // namespace mazurka

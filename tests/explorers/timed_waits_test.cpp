// Threads that wait with a time-out, again and again, come to an end: a round after a time-out that does nothing is not
// repeated. What is explored is the same in all algorithms, whether the library's code is inlined or not.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explorers/explored.hpp"
#include "program/program_test.hpp"
#include "program/timed_code.hpp"

namespace mazurka {
namespace {

program::Configuration of_timed_waits(const std::string& build, const std::string& scenario) {
  return program::configure(build, "timed_waits", {scenario});
}

const std::map<std::string, Explored> kTimedScenarios = {{"predicate", {5, 0, {}}},
                                                         {"one_lock", {4, 0, {}}},
                                                         {"stop_token", {4, 1, {}}},
                                                         {"atomic_flag", {2, 1, {}}},
                                                         {"lost_wake_up", {3, 1, {}}},
                                                         {"after_the_time_out", {8, 0, {{"3", 1}}}},
                                                         {"signal_in_between", {81, 3, {{"4", 42}}}},
                                                         {"signalled_before", {104, 115, {{"deadlock", 23}}}},
                                                         {"never_stopped", {1, 0, {{"deadlock", 1}}}},
                                                         {"counts", {5, 0, {{"1", 1}, {"2", 1}, {"3", 2}}}},
                                                         {"counts_elsewhere", {5, 0, {{"1", 1}, {"2", 1}, {"3", 2}}}},
                                                         {"both_poll", {2, 3, {}}},
                                                         {"signalled_until_time_out", {15, 0, {}}},
                                                         {"failed_try", {13, 7, {{"5", 7}}}},
                                                         {"futex", {9, 0, {}}},
                                                         {"future", {17, 0, {}}},
                                                         {"future_in_vain", {1, 0, {{"deadlock", 1}}}},
                                                         {"semaphore", {16, 0, {}}},
                                                         {"semaphore_in_vain", {1, 0, {{"deadlock", 1}}}},
                                                         {"shared_timed_mutex", {3, 2, {}}},
                                                         {"timed_mutex", {2, 1, {}}},
                                                         {"until_deadline", {1, 0, {}}},
                                                         {"predicate_asks", {1, 0, {}}}};

TEST(TimedWaits, EndInAllAlgorithms) {
  for (const auto& [scenario, expected] : kTimedScenarios)
    // Which waiter a signal wakes is a choice, after which source sets may be blocked.
    for (int algorithm = scenario.starts_with("signal") ? 1 : 0; algorithm < 4; ++algorithm)
      EXPECT_EQ(explore(of_timed_waits("gcc-O2", scenario), algorithm), expected)
          << scenario << ", algorithm " << algorithm;
}

/// Without optimisation it may take a round more until a state comes back.
TEST(TimedWaits, EndInAllBuilds) {
  for (const char* build : kBuilds)
    for (const auto& [scenario, expected] : kTimedScenarios) {
      // Unoptimised code of clang shows accesses to all locals, so more temporaries of the library are alive in a round
      // than can be recognised as dead: the state never comes back (docs/waiting.md).
      if (build == std::string("clang-O0") && scenario.ends_with("timed_mutex")) continue;
      const Explored found = explore(of_timed_waits(build, scenario), 1);
      EXPECT_EQ(once_each(found), once_each(expected)) << build << ' ' << scenario;
      EXPECT_LE(found.executions, 4 * expected.executions) << build << ' ' << scenario;
    }
}

TEST(TimedWaits, DoNotDependOnHowExecutionsAreReset) {
  for (const char* scenario : {"predicate", "stop_token", "failed_try"}) {
    program::Configuration configuration = of_timed_waits("gcc-O2", scenario);
    configuration.settings.isolation = protocol::Isolation::Fork;
    EXPECT_EQ(explore(configuration, 1), kTimedScenarios.at(scenario)) << scenario << " with fork";
    configuration.settings.isolation = protocol::Isolation::Memory;
    configuration.settings.checkpoints = 1;
    EXPECT_EQ(explore(configuration, 1), kTimedScenarios.at(scenario)) << scenario << " with many checkpoints";
    configuration.workers = 2;
    EXPECT_EQ(explore(configuration, 1), kTimedScenarios.at(scenario)) << scenario << " with two workers";
    configuration.settings.plain = protocol::Plain::Ignore;
    EXPECT_EQ(explore(configuration, 1), kTimedScenarios.at(scenario)) << scenario << " without the race detector";
  }
}

/// A wait that may end for no reason is one that may time out.
TEST(TimedWaits, EndWithSpuriousWakeups) {
  for (const char* scenario : {"predicate", "one_lock", "untimed"}) {
    program::Configuration configuration = of_timed_waits("gcc-O2", scenario);
    configuration.settings.spurious_wakeups = true;
    const Explored found = explore(configuration, 1);
    EXPECT_TRUE(found.errors.empty()) << scenario;
    EXPECT_LE(found.executions, 8U) << scenario;
  }
}

TEST(TimedWaits, AreStepsWhereTheUserWantsThat) {
  program::Configuration configuration = of_timed_waits("gcc-O2", "never_stopped");
  configuration.settings.reduce_waits = false;
  program::ProgramExecutor executor(configuration);
  Job job;
  job.learns = true;
  job.max_steps = 100;
  EXPECT_EQ(executor.run(job).outcome, Outcome::Limit);
  EXPECT_EQ(executor.version(), 0U);
}

TEST(TimedWaits, AskForTheTimeInCodeThatIsInlinedOrNot) {
  for (const char* build : kBuilds) {
    const auto code = program::timed_code(of_timed_waits(build, "predicate").binary);
    std::map<protocol::TimeQuestion, int> questions;
    for (std::size_t i = 0; i < code.size(); ++i) {
      EXPECT_LT(code[i].code.begin, code[i].code.end) << build;
      EXPECT_TRUE(i == 0 || code[i - 1].code.end <= code[i].code.begin) << build;
      ++questions[code[i].question];
    }
    EXPECT_GT(questions[protocol::TimeQuestion::Deadline], 0) << build;
    EXPECT_GT(questions[protocol::TimeQuestion::IsOver], 0) << build;
    EXPECT_EQ(questions.size(), 2U) << build;
  }
  EXPECT_TRUE(program::timed_code(program::configure("gcc", "loops").binary).empty());
  EXPECT_TRUE(program::timed_code("/nonexistent").empty());
  EXPECT_TRUE(program::timed_code("/proc/self/maps").empty());
}

}  // namespace
}  // namespace mazurka

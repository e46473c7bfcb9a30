// The same schedule gives the same execution, byte for byte, in one worker and in the next.
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"

namespace mazurka::program {
namespace {

std::vector<Step> random_schedule(ProgramExecutor& executor, std::uint64_t seed) {
  Job job;
  job.continuation = Continuation::Random;
  job.seed = seed;
  job.max_steps = 20'000;
  std::vector<Step> schedule;
  for (const Event& event : executor.run(job).events) schedule.push_back(event.step());
  return schedule;
}

TEST(Determinism, ReplaysAreIdenticalAlsoAfterARestart) {
  const std::pair<const char*, const char*> programs[] = {{"posix", "timed_condition"},   {"posix", "nondeterminism"},
                                                          {"standard", "any_conditions"}, {"standard", "exceptions"},
                                                          {"standard", "random"},         {"standard", "containers"}};
  for (const auto& [program, scenario] : programs) {
    ProgramExecutor executor(configure("gcc", program, {scenario}));
    const std::vector<Step> schedule = random_schedule(executor, 3);
    Job job;
    job.prefix = schedule;
    const std::string first = bytes_of(executor.run(job));
    for (int i = 0; i < 10'000; ++i) ASSERT_EQ(bytes_of(executor.run(job)), first) << scenario << ' ' << i;
    kill(executor.worker().process(), SIGKILL);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(bytes_of(executor.run(job)), first) << scenario << ", restarted";
    ProgramExecutor other(configure("gcc", program, {scenario}));
    ASSERT_EQ(bytes_of(other.run(job)), first) << scenario << ", another worker";
  }
}

TEST(Determinism, OtherSchedulesInBetweenChangeNothing) {
  ProgramExecutor executor(configure("gcc", "standard", {"mutexes"}));
  std::vector<std::vector<Step>> schedules;
  std::vector<std::string> results;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    schedules.push_back(random_schedule(executor, seed));
    Job job;
    job.prefix = schedules.back();
    results.push_back(bytes_of(executor.run(job)));
  }
  for (int round = 0; round < 20; ++round)
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      Job job;
      job.prefix = schedules[(i * 7 + 3) % schedules.size()];
      ASSERT_EQ(bytes_of(executor.run(job)), results[(i * 7 + 3) % schedules.size()]);
    }
}

TEST(Determinism, ADifferenceFromTheExecutionBeforeIsReported) {
  ProgramExecutor executor(configure("gcc", "posix", {"uncontrolled"}));
  const Execution before = executor.run({});
  ASSERT_EQ(before.outcome, Outcome::Finished);
  Job job;
  for (const Event& event : before.events) job.prefix.push_back(event.step());
  EXPECT_EQ(executor.run(job).outcome, Outcome::Finished) << "the same worker";
  kill(executor.worker().process(), SIGKILL);
  const Execution execution = executor.run(job);
  EXPECT_EQ(execution.outcome, Outcome::Diverged);
  EXPECT_EQ(execution.failure.kind, FailureKind::Nondeterminism);
  const auto* difference = std::get_if<Difference>(&execution.failure.detail);
  ASSERT_NE(difference, nullptr) << testing::failure_key(execution);
  EXPECT_EQ(difference->index, 0U);
  EXPECT_EQ(execution.events.size(), 1U) << "what comes after it says nothing";
}

TEST(Determinism, AnImpossibleScheduleIsReported) {
  ProgramExecutor executor(configure("gcc", "posix", {"mutex"}));
  const std::vector<Step> schedule{{0, 0}, {5, 0}};
  Job job;
  job.prefix = schedule;
  const Execution& execution = executor.run(job);
  EXPECT_EQ(execution.outcome, Outcome::Diverged);
  EXPECT_EQ(execution.events.size(), 1U);
}

}  // namespace
}  // namespace mazurka::program

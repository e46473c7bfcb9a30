// Concurrent jobs, in one worker or several.
#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"

namespace mazurka::program {
namespace {

Configuration with_workers(std::uint32_t workers, const std::string& program, const std::string& scenario) {
  Configuration configuration = configure("gcc", program, {scenario});
  configuration.workers = workers;
  return configuration;
}

Job random_job(std::uint64_t seed) {
  Job job;
  job.continuation = Continuation::Random;
  job.seed = seed;
  job.max_steps = 20'000;
  return job;
}

class SeveralJobs : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(SeveralJobs, AreCollectedInAnyOrder) {
  for (const auto& [program, scenario] :
       {std::pair{"posix", "broadcast_two"}, {"standard", "containers"}, {"posix", "null"}}) {
    ProgramExecutor executor(with_workers(GetParam(), program, scenario));
    std::vector<std::string> expected;
    for (std::uint64_t seed = 0; seed < 24; ++seed) expected.push_back(bytes_of(executor.run(random_job(seed))));
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::pair<std::uint64_t, JobHandle>> under_way;
      Execution execution;
      const auto collect_one = [&, scenario = scenario] {
        const std::size_t at = random() % under_way.size();
        executor.collect(under_way[at].second, execution);
        ASSERT_EQ(bytes_of(execution), expected[under_way[at].first]) << scenario;
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(at));
      };
      for (std::uint64_t seed = 0; seed < expected.size(); ++seed) {
        under_way.emplace_back(seed, executor.submit(random_job(seed)));
        if (random() % 3 == 0) collect_one();
      }
      while (!under_way.empty() && !HasFatalFailure()) collect_one();
    }
  }
}

/// The worker that meets a thread first determines its index, and so the addresses of its stack and heap.
TEST_P(SeveralJobs, AreTheSameInEveryWorker) {
  for (const auto& [program, scenario] :
       {std::pair{"standard", "threads"}, {"standard", "futures"}, {"posix", "thread_local_data"}}) {
    ProgramExecutor executor(with_workers(GetParam(), program, scenario));
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      // At first all workers meet new threads at the same time.
      std::vector<JobHandle> handles;
      for (std::uint32_t i = 0; i < 2 * GetParam(); ++i) handles.push_back(executor.submit(random_job(seed)));
      std::vector<Execution> executions(handles.size());
      for (std::size_t i = 0; i < handles.size(); ++i) executor.collect(handles[i], executions[i]);
      for (const Execution& execution : executions)
        ASSERT_EQ(bytes_of(execution), bytes_of(executions[0])) << scenario << ", seed " << seed;
    }
    for (std::uint32_t i = 0; i < GetParam(); ++i) EXPECT_EQ(executor.worker(i).starts(), 1U);
  }
}

TEST_P(SeveralJobs, SurviveTheDeathOfAnyWorker) {
  ProgramExecutor executor(with_workers(GetParam(), "posix", "broadcast_two"));
  std::vector<std::string> expected;
  for (std::uint64_t seed = 0; seed < 8; ++seed) expected.push_back(bytes_of(executor.run(random_job(seed))));
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<JobHandle> handles;
    for (std::uint64_t seed = 0; seed < expected.size(); ++seed) {
      handles.push_back(executor.submit(random_job(seed)));
      const pid_t victim = executor.worker(random() % GetParam()).process();
      if (random() % 4 == 0 && victim > 0) kill(victim, SIGKILL);
    }
    Execution execution;
    for (std::size_t i = handles.size(); i-- > 0;) {
      executor.collect(handles[i], execution);
      ASSERT_EQ(bytes_of(execution), expected[i]);
    }
  }
  unsigned starts = 0;
  for (std::uint32_t i = 0; i < GetParam(); ++i) starts += executor.worker(i).starts();
  EXPECT_GT(starts, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Workers, SeveralJobs, ::testing::Values(1U, 2U, 3U),
                         [](const auto& workers) { return "With" + std::to_string(workers.param); });

}  // namespace
}  // namespace mazurka::program

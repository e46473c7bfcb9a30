// Threads that run for long without a visible step: those that busy-wait for another thread let it run, those that wait
// for nobody are detected, and those that are merely slow, or starved, are left alone.
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "program/watchdog.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

using namespace std::chrono_literals;

Configuration checking(const std::string& family, const std::string& scenario) {
  Configuration configuration = configure(family, "waiting", {scenario});
  configuration.settings.plain = protocol::Plain::Check;
  return configuration;
}

TEST(Waiting, ForAPlainVariableIsADataRace) {
  for (const char* family : {"gcc", "clang"})
    for (const char* scenario : {"flag", "table_tennis", "crowd"})
      for (const auto continuation : {Continuation::First, Continuation::Random})
        for (const auto isolation : {protocol::Isolation::Memory, protocol::Isolation::Fork}) {
          Configuration configuration = checking(family, scenario);
          configuration.settings.isolation = isolation;
          ProgramExecutor executor(configuration);
          Job job;
          job.continuation = continuation;
          const Execution found = executor.run(job);
          EXPECT_EQ(found.failure.kind, FailureKind::DataRace)
              << family << ' ' << scenario << ": " << testing::failure_key(found);
          // The same schedule leads there again.
          std::vector<Step> schedule;
          for (const Event& event : found.events) schedule.push_back(event.step());
          Job again;
          again.prefix = schedule;
          EXPECT_EQ(testing::failure_key(executor.run(again)), testing::failure_key(found))
              << family << ' ' << scenario;
        }
}

TEST(Waiting, ForNobodyIsAnEndlessLoop) {
  Configuration configuration = checking("gcc", "nobody");
  configuration.watchdog = 300ms;
  ProgramExecutor executor(configuration);
  const Execution& execution = executor.run({});
  EXPECT_EQ(execution.failure.kind, FailureKind::EndlessLoop);
  EXPECT_TRUE(std::get<WithoutProgress>(execution.failure.detail).in_plain_loop) << testing::failure_key(execution);
}

TEST(Waiting, ForAThreadThatMustNotRunIsNoBug) {
  Configuration configuration = checking("gcc", "flag");
  configuration.watchdog = 300ms;
  ProgramExecutor executor(configuration);
  const Execution first = executor.run({});
  ASSERT_EQ(first.failure.kind, FailureKind::DataRace);
  const Sleeper other{first.events.back().step(), first.events.back().operation};
  Job job;
  job.sleep = {other};
  const std::vector<Step> prefix{first.events.front().step()};
  job.prefix = prefix;
  const Execution& execution = executor.run(job);
  EXPECT_EQ(execution.outcome, Outcome::Limit) << testing::failure_key(execution);
}

TEST(Waiting, IsWhatNoPlainAccessIsSeenOfWithoutTheCheck) {
  Configuration configuration = configure("gcc", "waiting", {"flag"});
  configuration.watchdog = 300ms;
  ProgramExecutor executor(configuration);
  const Execution& execution = executor.run({});
  EXPECT_EQ(execution.failure.kind, FailureKind::EndlessLoop);
  EXPECT_FALSE(std::get<WithoutProgress>(execution.failure.detail).in_plain_loop) << testing::failure_key(execution);
}

TEST(Waiting, IsNotWhatALongComputationDoes) {
  for (const char* family : {"gcc", "clang"}) {
    ProgramExecutor executor(checking(family, "computation"));
    std::set<std::string> found;
    std::size_t executions = 0;
    std::set<std::size_t> lengths;
    testing::Exhaustive(executor, [&](const Execution& execution) {
      ++executions;
      lengths.insert(execution.events.size());
      found.insert(output_or_failure(execution));
    }).run();
    EXPECT_EQ(found, (std::set<std::string>{"12", "21"})) << family;
    EXPECT_EQ(executions, 2U) << "steps that do nothing make no new classes";
    EXPECT_EQ(lengths.size(), 1U) << "and are in the same places whatever the order";
    const Execution& execution = executor.run({});
    const auto given_way = std::count_if(execution.events.begin(), execution.events.end(),
                                         [](const Event& event) { return (event.operation.flags & kGivesWay) != 0; });
    EXPECT_GE(given_way, 4) << family << ": each computation has more accesses than a thread makes in a row";
  }
}

TEST(Watchdog, LeavesALargeAccessInPeace) {
  for (const char* family : {"gcc", "clang"}) {
    Configuration configuration = checking(family, "large");
    configuration.watchdog = 100ms;
    ProgramExecutor executor(configuration);
    std::set<std::string> found;
    testing::Exhaustive(executor, [&](const Execution& execution) {
      found.insert(output_or_failure(execution));
    }).run();
    EXPECT_EQ(found, (std::set<std::string>{"12", "21"})) << family;
  }
}

TEST(Watchdog, LeavesAStoppedWorkerInPeace) {
  Configuration configuration = checking("gcc", "computation");
  configuration.watchdog = 200ms;
  ProgramExecutor executor(configuration);
  EXPECT_FALSE(executor.run({}).failure);
  const pid_t worker = executor.worker().process();
  ASSERT_EQ(kill(worker, SIGSTOP), 0);
  std::thread resume([worker] {
    std::this_thread::sleep_for(1500ms);
    kill(worker, SIGCONT);
  });
  const Execution& execution = executor.run({});
  EXPECT_FALSE(execution.failure) << testing::failure_key(execution);
  EXPECT_EQ(executor.worker().starts(), 1U);
  resume.join();
}

TEST(Watchdog, KnowsTheStatesOfProcesses) {
  EXPECT_EQ(process_state(getpid()), 'R');
  ASSERT_TRUE(processor_time(getpid()).has_value());
  const auto before = *processor_time(getpid());
  while (*processor_time(getpid()) - before < 1ms) {
  }
  EXPECT_FALSE(processor_time(0).has_value());
}

}  // namespace
}  // namespace mazurka::program

// Programs and workers that misbehave: nothing may be lost except for the failed execution.
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

using namespace std::chrono_literals;

/// How often each outcome occurs among all classes of executions.
std::map<std::string, int> ends(ProgramExecutor& executor) {
  std::map<std::string, int> found;
  testing::Exhaustive(executor, [&](const Execution& execution) {
    ++found[execution.failure ? name(execution.failure.kind) : execution.output];
  }).run();
  return found;
}

TEST(Faults, AFailureInOneScheduleLeavesTheOthers) {
  const std::pair<const char*, const char*> failures[] = {
      {"null", "signal"}, {"exit_3", "exit-status"}, {"abort", "abort"}, {"overflow", "stack-overflow"}};
  for (const auto& [scenario, kind] : failures) {
    ProgramExecutor executor(configure("gcc", "posix", {scenario}));
    EXPECT_EQ(ends(executor), (std::map<std::string, int>{{"ok", 1}, {kind, 3}})) << scenario;
    EXPECT_EQ(executor.worker().starts(), 1U) << scenario << ": the worker itself survives";
  }
}

TEST(Faults, AnEndlessLoopIsEndedByTheWatchdog) {
  Configuration configuration = configure("gcc", "posix", {"loop"});
  configuration.watchdog = 300ms;
  ProgramExecutor executor(configuration);
  EXPECT_EQ(ends(executor), (std::map<std::string, int>{{"ok", 1}, {"endless-loop", 3}}));
  EXPECT_GE(executor.worker().starts(), 3U);
}

TEST(Faults, AFailureKeepsTheScheduleThatLedToIt) {
  ProgramExecutor executor(configure("gcc", "posix", {"null"}));
  Job job;
  job.continuation = Continuation::Random;
  std::vector<Step> schedule;
  for (; schedule.empty() && job.seed < 200; ++job.seed)
    if (const Execution& execution = executor.run(job); execution.outcome == Outcome::Error)
      for (const Event& event : execution.events) schedule.push_back(event.step());
  ASSERT_FALSE(schedule.empty());
  ProgramExecutor other(configure("gcc", "posix", {"null"}));
  Job replay;
  replay.prefix = schedule;
  replay.continuation = Continuation::Stop;
  const Execution& again = other.run(replay);
  EXPECT_EQ(again.outcome, Outcome::Error);
  EXPECT_EQ(again.events.size(), schedule.size());
  EXPECT_NE(again.failure.site, 0U);
}

TEST(Faults, AWaitForTheOutsideWorldIsNamed) {
  Configuration configuration = configure("gcc", "posix", {"blocks"});
  configuration.watchdog = 300ms;
  ProgramExecutor executor(configuration);
  const Execution& execution = executor.run({});
  EXPECT_EQ(execution.outcome, Outcome::Unsupported);
  const auto* stuck = std::get_if<StuckInSystemCall>(&execution.failure.detail);
  ASSERT_NE(stuck, nullptr) << testing::failure_key(execution);
  EXPECT_EQ(stuck->name, "read");
}

TEST(Faults, AWorkerKilledAtAnyMomentIsReplaced) {
  ProgramExecutor executor(configure("gcc", "posix", {"broadcast_two"}));
  const auto expected = ends(executor);
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const pid_t worker = executor.worker().process();
    ASSERT_GT(worker, 0);
    std::thread killer([&, pause = random() % 5000] {
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
      kill(worker, SIGKILL);
    });
    EXPECT_EQ(ends(executor), expected) << "kill number " << i;
    killer.join();
  }
  executor.run({});  // the last kill may have come after the last job
  EXPECT_GE(executor.worker().starts(), 2U);
}

TEST(Faults, ProgramsThatAreNotOursAreRefused) {
  Configuration configuration;
  configuration.binary = "/nonexistent/program";
  EXPECT_THROW(ProgramExecutor(configuration).run({}), InputError);
  configuration.binary = "/bin/true";
  EXPECT_THROW(ProgramExecutor(configuration).run({}), InputError);
}

TEST(Faults, ProgramsThatAreNotOursAreNotRun) {
  const std::string file = ::testing::TempDir() + "mazurka-not-ours-" + std::to_string(getpid());
  Configuration configuration;
  configuration.binary = "/usr/bin/touch";
  configuration.arguments = {file};
  EXPECT_THROW(ProgramExecutor(configuration).run({}), InputError);
  EXPECT_NE(access(file.c_str(), F_OK), 0);
}

TEST(Faults, AWriteIntoTheSharedMemoryIsNamedWhereItIsSeen) {
  Configuration configuration = configure("gcc", "scribbler", {"seen"});
  configuration.settings.plain = protocol::Plain::Check;
  ProgramExecutor executor(configuration);
  const std::map<std::string, int> all = ends(executor);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.begin()->first, "damaged-memory");
}

TEST(Faults, SharedMemoryIsNotTrusted) {
  constexpr int kSeeds = 120;
  int damaged = 0;
  for (int seed = 0; seed < kSeeds; seed += 2) {
    Configuration configuration = configure("gcc", "scribbler", {"unseen", std::to_string(seed)});
    configuration.watchdog = 500ms;
    ProgramExecutor executor(configuration);
    for (int i = 0; i < 3; ++i) {  // executions after the damage are not affected by it
      const Execution execution = executor.run({});
      for (const Event& event : execution.events) ASSERT_LT(event.process, executor.process_count()) << seed;
      for (const Offer& offer : execution.pending) ASSERT_LT(offer.process, executor.process_count()) << seed;
      if (execution.failure.kind != FailureKind::DamagedMemory) continue;
      EXPECT_EQ(execution.outcome, Outcome::Unsupported) << seed;
      ++damaged;
    }
  }
  EXPECT_GE(damaged, kSeeds / 20);
}

TEST(Faults, IsolationByForkGivesTheSameResults) {
  for (const char* scenario : {"mutex", "deadlock", "null", "exit_3", "handlers", "nondeterminism"}) {
    ProgramExecutor memory(configure("gcc", "posix", {scenario}));
    Configuration configuration = configure("gcc", "posix", {scenario});
    configuration.settings.isolation = protocol::Isolation::Fork;
    ProgramExecutor fork(configuration);
    EXPECT_EQ(ends(memory), ends(fork)) << scenario;
  }
}

}  // namespace
}  // namespace mazurka::program

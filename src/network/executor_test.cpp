#include "network/executor.hpp"

#include <array>

#include <gtest/gtest.h>

#include "network/families.hpp"
#include "network/network_names.hpp"
#include "network/tck.hpp"

namespace mazurka::network {
namespace {

// Two clients that write one variable, and a third that has a choice. A and B are dependent, C is independent of both.
//
//   A:  a0 ──w0──▶ a1      C:  c0 ──l──▶ c1       X:  v0 ◀─w0── v1, v0 ──w1─▶ v1, and each also stays where it leads
//   B:  b0 ──w1──▶ b1          c0 ──r──▶ c1       Y:  y ──l, r──▶ y
constexpr const char* kSystem =
    "system:s\nevent:w0\nevent:w1\nevent:l\nevent:r\n"
    "process:A{role: client}\nlocation:A:a0{initial:}\nlocation:A:a1\nedge:A:a0:a1:w0\n"
    "process:B{role: client}\nlocation:B:b0{initial:}\nlocation:B:b1\nedge:B:b0:b1:w1\n"
    "process:C{role: client}\nlocation:C:c0{initial:}\nlocation:C:c1\nedge:C:c0:c1:l\nedge:C:c0:c1:r\n"
    "process:X{role: server}\nlocation:X:v0{initial:}\nlocation:X:v1\n"
    "edge:X:v0:v0:w0\nedge:X:v1:v0:w0\nedge:X:v0:v1:w1\nedge:X:v1:v1:w1\n"
    "process:Y{role: server}\nlocation:Y:y{initial:}\nedge:Y:y:y:l\nedge:Y:y:y:r\n"
    "sync:A@w0:X@w0\nsync:B@w1:X@w1\nsync:C@l:Y@l\nsync:C@r:Y@r\n";

TEST(NetworkExecutor, FollowsAPrefixAndReportsWhatIsNext) {
  const Network network = read_tck(kSystem, "s.tck");
  NetworkExecutor executor(network);
  Job job;
  job.prefix = {Step{1, 0}, Step{2, 1}};
  job.continuation = Continuation::Stop;
  const Execution& execution = executor.run(job);
  EXPECT_EQ(execution.outcome, Outcome::Stopped);
  ASSERT_EQ(execution.events.size(), 2U);
  EXPECT_EQ(execution.events[1].alternative, 1U);
  EXPECT_EQ(execution.offers_of(execution.events[1]).size(), 2U);
  EXPECT_TRUE(execution.offers_of(execution.events[0]).empty());
  ASSERT_EQ(execution.pending.size(), 1U);
  EXPECT_EQ(execution.pending[0].process, 0U);
  EXPECT_TRUE(execution.pending[0].enabled);
  const NetworkNames names(network);
  EXPECT_EQ(names.describe(execution.events[1].operation, {}), "r (Y r)");
  EXPECT_EQ(names.object(execution.events[1].operation, {}), "Y");
  EXPECT_EQ(names.process_named("C"), 2U);
  EXPECT_EQ(names.process_named("D"), kNoProcess);
}

TEST(NetworkExecutor, RefusesAPrefixThatIsNotPossible) {
  const Network network = read_tck(kSystem, "s.tck");
  NetworkExecutor executor(network);
  for (const Step impossible : {Step{0, 1}, Step{7, 0}}) {
    Job job;
    job.prefix = {Step{1, 0}, impossible};
    EXPECT_EQ(executor.run(job).outcome, Outcome::Diverged);
    EXPECT_EQ(executor.run(job).events.size(), 1U);
  }
}

TEST(NetworkExecutor, SleepersAreAvoidedUntilADependentStepWakesThem) {
  const Network network = read_tck(kSystem, "s.tck");
  NetworkExecutor executor(network);
  Job look;
  look.continuation = Continuation::Stop;
  const Execution start = executor.run(look);
  const Sleeper a{{0, 0}, start.pending[0].operation};
  Job job;
  job.sleep = {a};
  const Execution& woken = executor.run(job);  // B's write wakes A's
  EXPECT_EQ(woken.outcome, Outcome::Finished);
  EXPECT_EQ(woken.events[0].process, 1U);
  EXPECT_EQ(woken.events[1].process, 0U);

  job.sleep = {Sleeper{{2, 0}, start.pending[2].operation}, Sleeper{{2, 1}, start.pending[3].operation}};
  const Execution& blocked = executor.run(job);  // nothing interferes with C
  EXPECT_EQ(blocked.outcome, Outcome::SleepBlocked);
  EXPECT_EQ(blocked.events.size(), 2U);
}

TEST(NetworkExecutor, JobsAreCollectedInAnyOrder) {
  const Network network = read_tck(kSystem, "s.tck");
  NetworkExecutor executor(network);
  std::vector<JobHandle> handles;
  Job job;
  job.continuation = Continuation::Stop;
  for (ProcessIndex process = 0; process < 3; ++process) {
    job.prefix = {Step{process, 0}};
    handles.push_back(executor.submit(job));
  }
  Execution execution;
  for (const ProcessIndex process : {1U, 2U, 0U}) {
    executor.collect(handles[process], execution);
    ASSERT_EQ(execution.events.size(), 1U);
    EXPECT_EQ(execution.events[0].process, process);
  }
}

TEST(NetworkExecutor, TheSameSeedGivesTheSameExecution) {
  const std::array arguments{5U};
  const Network network = generate("dp", arguments);
  NetworkExecutor executor(network);
  Job job;
  job.continuation = Continuation::Random;
  for (job.seed = 0; job.seed < 50; ++job.seed) {
    const Execution first = executor.run(job);
    const Execution& second = executor.run(job);
    ASSERT_EQ(first.events.size(), second.events.size());
    for (std::size_t i = 0; i < first.events.size(); ++i) ASSERT_EQ(first.events[i].step(), second.events[i].step());
  }
}

TEST(NetworkExecutor, CutsAtTheStepLimit) {
  const std::array arguments{5U};
  const Network network = generate("dp", arguments);
  NetworkExecutor executor(network);
  Job job;
  job.max_steps = 3;
  EXPECT_EQ(executor.run(job).outcome, Outcome::Limit);
  EXPECT_EQ(executor.run(job).events.size(), 3U);
}

}  // namespace
}  // namespace mazurka::network

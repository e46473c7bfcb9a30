// The exit status of a program, and executions that are cut, woken or refused on the way.
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

using StatusEnds = std::set<std::string>;

/// The outputs or failures of all executions: of a search with sleep sets, or of all interleavings.
StatusEnds status_ends(const Configuration& configuration, bool reduced = true) {
  ProgramExecutor executor(configuration);
  StatusEnds found;
  testing::Exhaustive(
      executor,
      [&](const Execution& execution) {
        if (execution.outcome == Outcome::Cut)
          found.insert("cut");
        else if (!execution.failure)
          found.insert("ok" + execution.output);
        else
          found.insert(testing::failure_key(execution));
      },
      reduced)
      .run();
  return found;
}

struct StatusScenario {
  const char* name;
  StatusEnds ends;
  StatusEnds ignoring;  ///< if the status is ignored
};

const StatusScenario kStatusScenarios[] = {
    {"returns", {"ok", "exit-status: returned 1"}, {"ok"}},
    {"leaves_by_pthread_exit", {"ok"}, {"ok"}},
    {"others_exit", {"exit-status: returned 1", "ok"}, {"ok"}},
    {"status_of_256", {"ok"}, {"ok"}},
    {"exit_of_256", {"ok"}, {"ok"}},
    {"exit_at_once", {"exit-status: exit 4"}, {"ok"}},
    {"exit_quickly", {"exit-status: exit 5"}, {"ok"}},
    {"some_cut", {"ok", "cut"}, {"ok", "cut"}},
    {"bitset_any", {"okwoken", "okConnection timed out"}, {"okwoken", "okConnection timed out"}},
    {"bitset_none", {"ok-1,1,-1,1"}, {"ok-1,1,-1,1"}},
    {"wakes_none", {"ok00", "ok01", "ok10", "ok11"}, {"ok00", "ok01", "ok10", "ok11"}},
    {"relative_time", {"ok-1,1,1"}, {"ok-1,1,1"}},
};

TEST(Status, OtherThan0IsAFailure) {
  for (const StatusScenario& scenario : kStatusScenarios)
    for (const char* family : {"gcc", "clang"})
      for (const protocol::Isolation isolation : {protocol::Isolation::Memory, protocol::Isolation::Fork}) {
        Configuration configuration = configure(family, "status", {scenario.name});
        configuration.settings.isolation = isolation;
        EXPECT_EQ(status_ends(configuration), scenario.ends) << scenario.name << ' ' << family;
        const bool few = std::string(scenario.name) != "wakes_none" && isolation == protocol::Isolation::Memory;
        if (few) {
          EXPECT_EQ(status_ends(configuration, false), scenario.ends) << scenario.name << ", all interleavings";
        }
        configuration.settings.ignore_exit_status = true;
        EXPECT_EQ(status_ends(configuration), scenario.ignoring) << scenario.name << ' ' << family;
      }
}

TEST(Status, OfMainIsKnownToExecutionsThatGoOnFromACheckpoint) {
  for (const std::uint32_t checkpoints : {0U, 1U, 8U}) {
    Configuration configuration = configure("gcc", "status", {"returns_early"});
    configuration.settings.checkpoints = checkpoints;
    ProgramExecutor executor(configuration);
    std::map<std::string, int> found;
    std::uint64_t resumed_after_main = 0;
    testing::Exhaustive(executor, [&](const Execution& execution) {
      ++found[name(execution.failure.kind)];
      for (std::uint32_t i = 0; i < executor.worker().channel().resumed; ++i)
        if (execution.events[i].operation.kind == OperationKind::ThreadExit && execution.events[i].process == 0)
          ++resumed_after_main;
    }).run();
    EXPECT_EQ(found.size(), 2U) << checkpoints;
    EXPECT_GT(found["exit-status"], 1000) << checkpoints;
    EXPECT_GT(found["abort"], 0) << "what others do after main is not hidden by its status";
    EXPECT_EQ(resumed_after_main > 0, checkpoints != 0) << "there was nothing to see";
  }
}

TEST(Futexes, AreRefusedByNameWhereTheyAreNotModelled) {
  const std::map<std::string, std::string> messages = {
      {"bitset_wait", "FUTEX_WAIT_BITSET with a mask other than FUTEX_BITSET_MATCH_ANY cannot be controlled"},
      {"bitset_wake", "FUTEX_WAKE_BITSET with a mask other than FUTEX_BITSET_MATCH_ANY cannot be controlled"},
      {"requeue", "FUTEX_CMP_REQUEUE cannot be controlled"},
      {"wake_op", "FUTEX_WAKE_OP cannot be controlled"},
      {"lock_pi", "FUTEX_LOCK_PI cannot be controlled"}};
  for (const auto& [scenario, message] : messages) {
    ProgramExecutor executor(configure("gcc", "status", {scenario}));
    const Execution& execution = executor.run({});
    EXPECT_EQ(execution.outcome, Outcome::Unsupported) << scenario;
    EXPECT_EQ(execution.failure.words(), message);
  }
}

}  // namespace
}  // namespace mazurka::program

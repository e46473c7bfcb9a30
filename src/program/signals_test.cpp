// Signals that a program blocks or ignores: it sees what it asked for, and the runtime, which needs SIGSEGV, keeps
// working.
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <signal.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

std::set<std::string> ends(const Configuration& configuration) {
  ProgramExecutor executor(configuration);
  std::set<std::string> found;
  testing::Exhaustive(executor, [&](const Execution& execution) { found.insert(output_or_failure(execution)); }).run();
  return found;
}

const std::pair<const char*, const char*> kSignalScenarios[] = {
    {"all_blocked", "2"},   {"per_thread", "3"},        {"by_attribute", "ok"}, {"by_number", "ok"},
    {"dispositions", "ok"}, {"kept_from_before", "10"}, {"handles", "3"},       {"holds", "ok"}};

TEST(Signals, ThatAProgramBlocksAreNotThoseOfTheRuntime) {
  for (const char* family : {"gcc", "clang"})
    for (const auto& [scenario, expected] : kSignalScenarios)
      for (const protocol::Isolation isolation : {protocol::Isolation::Memory, protocol::Isolation::Fork})
        for (const protocol::Plain plain : {protocol::Plain::Ignore, protocol::Plain::Check}) {
          // Two threads write to the same pages here.
          if (plain == protocol::Plain::Check && scenario == std::string("all_blocked")) continue;
          Configuration configuration = configure(family, "signals", {scenario});
          configuration.settings.isolation = isolation;
          configuration.settings.plain = plain;
          EXPECT_EQ(ends(configuration), std::set<std::string>{expected}) << family << ' ' << scenario;
        }
}

TEST(Signals, ACrashWithAllOfThemBlockedIsReported) {
  const auto found = ends(configure("gcc", "signals", {"crashes"}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found.begin()->starts_with("signal: 11")) << *found.begin();
}

TEST(Signals, WithoutAHandlerEndTheProgram) {
  const auto found = ends(configure("gcc", "signals", {"handles_once"}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found.begin()->starts_with("signal: 10")) << *found.begin();
}

TEST(Signals, ThatWereBlockedWhenTheToolWasStartedDoNotMatter) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto found = ends(configure("gcc", "signals", {"dispositions"}));
  const auto inherited = ends(configure("gcc", "signals", {"kept_from_before"}));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(found, std::set<std::string>{"ok"});
  EXPECT_EQ(inherited, std::set<std::string>{"11"}) << "a process inherits the mask of whoever starts it";
}

}  // namespace
}  // namespace mazurka::program

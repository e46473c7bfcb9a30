// Waits of the C++ library have the executions of the wait itself: how often the library looks before it blocks makes
// no difference, whether its code is inlined or not.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "explorers/explored.hpp"
#include "program/library_code.hpp"
#include "program/program_test.hpp"

namespace mazurka {
namespace {

program::Configuration of_library_waits(const std::string& build, const std::string& scenario) {
  return program::configure(build, "library_waits", {scenario});
}

/// As many as with a library that looks once (std::__detail::__atomic_spin_count = 1), where every look is a step.
const std::map<std::string, std::uint64_t> kExecutions = {
    {"wait", 6}, {"latch", 66}, {"semaphore", 4}, {"barrier", 42}};

TEST(LibraryWaits, LookOnceInAllBuilds) {
  for (const char* build : kBuilds)
    for (const auto& [scenario, executions] : kExecutions)
      EXPECT_EQ(explore(of_library_waits(build, scenario), 1), (Explored{executions, 0, {}}))
          << build << ' ' << scenario;
}

TEST(LibraryWaits, LookOnceInAllAlgorithms) {
  for (const auto& [scenario, executions] : kExecutions)
    for (int algorithm = 0; algorithm < 4; ++algorithm)
      EXPECT_EQ(explore(of_library_waits("gcc-O0", scenario), algorithm), (Explored{executions, 0, {}}))
          << scenario << ", algorithm " << algorithm;
}

TEST(LibraryWaits, LookOnceInAllModes) {
  for (const char* scenario : {"wait", "semaphore", "barrier"})
    for (const auto plain : {protocol::Plain::Check, protocol::Plain::Explore}) {
      program::Configuration configuration = of_library_waits("gcc-O0", scenario);
      configuration.settings.plain = plain;
      configuration.settings.isolation = protocol::Isolation::Fork;
      EXPECT_EQ(explore(configuration, 1), (Explored{kExecutions.at(scenario), 0, {}})) << scenario;
      configuration.settings.isolation = protocol::Isolation::Memory;
      configuration.settings.checkpoints = 1;
      configuration.workers = 2;
      EXPECT_EQ(explore(configuration, 1), (Explored{kExecutions.at(scenario), 0, {}})) << scenario;
    }
}

TEST(LibraryWaits, HideNothing) {
  for (const char* build : kBuilds)
    for (const char* scenario : {"for_a_moment", "after_the_wait", "not_notified", "one_permit", "timed_semaphore"}) {
      program::Configuration configuration = of_library_waits(build, scenario);
      const Explored found = explore(configuration, 1);
      configuration.settings.reduce_waits = false;
      const Explored with_all_looks = explore(configuration, 1);
      EXPECT_EQ(once_each(found), once_each(with_all_looks)) << build << ' ' << scenario;
      EXPECT_FALSE(found.errors.empty()) << build << ' ' << scenario;
      EXPECT_LT(found.executions, with_all_looks.executions) << build << ' ' << scenario;
    }
}

TEST(LibraryWaits, EndWhereLibrariesSpinForever) {
  for (const char* build : kBuilds) {
    for (const char* scenario : {"stop_token", "stop_callback"})
      EXPECT_TRUE(explore(of_library_waits(build, scenario), 1).errors.empty()) << build << ' ' << scenario;
    EXPECT_EQ(once_each(explore(of_library_waits(build, "shared_pointer"), 1)),
              (std::map<std::string, int>{{"11", 1}, {"12", 1}}))
        << build;
  }
}

TEST(LibraryWaits, AreFoundInCodeThatIsInlinedOrNot) {
  for (const char* build : kBuilds) {
    const auto spins = program::bounded_spins(of_library_waits(build, "wait").binary);
    EXPECT_GE(spins.size(), 3U) << build;
    for (std::size_t i = 0; i < spins.size(); ++i) {
      EXPECT_LT(spins[i].begin, spins[i].end) << build;
      EXPECT_TRUE(i == 0 || spins[i - 1].end < spins[i].begin) << build;
    }
  }
  EXPECT_TRUE(program::bounded_spins(program::configure("gcc", "loops").binary).empty());
  EXPECT_TRUE(program::bounded_spins("/nonexistent").empty());
  EXPECT_TRUE(program::bounded_spins("/proc/self/maps").empty());
}

}  // namespace
}  // namespace mazurka

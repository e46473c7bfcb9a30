// std::lock and std::scoped_lock come to an end, and nothing is lost: threads that back off stop, unless somebody could
// tell the difference.
#include <string>

#include <gtest/gtest.h>

#include "explorers/explored.hpp"
#include "program/library_code.hpp"
#include "program/program_test.hpp"

namespace mazurka {
namespace {

program::Configuration of_several_locks(const std::string& build, const std::string& scenario) {
  return program::configure(build, "several_locks", {scenario});
}

using Ends = std::map<std::string, int>;

/// One execution for each order in which threads get all that they want.
TEST(SeveralLocks, HaveTheOutcomesOfEveryOrder) {
  const std::map<std::string, Ends> expected = {
      {"in_opposite_orders", {{"15", 1}, {"18", 1}}},
      // ((1 * 3 + i) * 3 + j) * 3 + k for the six orders of 0, 1, 2
      {"around_a_table", {{"42", 1}, {"44", 1}, {"48", 1}, {"52", 1}, {"56", 1}, {"58", 1}}},
      {"of_different_types", {{"15", 1}, {"18", 1}}},
      {"held_for_ever", {{"deadlock", 1}}},
      {"first_held_for_ever", {{"deadlock", 1}}},
  };
  for (const auto& [scenario, ends] : expected) {
    for (const char* build : kBuilds) {
      const Explored found = explore(of_several_locks(build, scenario), 1);
      EXPECT_EQ(once_each(found), ends) << build << ' ' << scenario;
      EXPECT_EQ(found.executions, ends.size()) << build << ' ' << scenario;
    }
    for (int algorithm = 0; algorithm < 4; ++algorithm) {
      program::Configuration configuration = of_several_locks("gcc-O0", scenario);
      EXPECT_EQ(once_each(explore(configuration, algorithm)), ends) << scenario << ", algorithm " << algorithm;
      configuration.settings.isolation = protocol::Isolation::Fork;
      EXPECT_EQ(once_each(explore(configuration, algorithm)), ends) << scenario << ", fork";
      configuration.settings.isolation = protocol::Isolation::Memory;
      configuration.settings.checkpoints = 1;
      EXPECT_EQ(once_each(explore(configuration, algorithm)), ends) << scenario << ", checkpoints";
    }
  }
}

/// Where there are few enough rounds to explore them all.
TEST(SeveralLocks, HideNothing) {
  for (const char* build : kBuilds)
    for (const char* scenario :
         {"beside_guards", "tried_elsewhere", "with_effects", "held_for_ever", "first_held_for_ever"}) {
      program::Configuration configuration = of_several_locks(build, scenario);
      const Explored found = explore(configuration, 1);
      configuration.settings.reduce_waits = false;
      EXPECT_EQ(once_each(found), once_each(explore(configuration, 1))) << build << ' ' << scenario;
    }
}

TEST(SeveralLocks, AreFoundWhereTheirMutexesAreThoseOfTheLibrary) {
  for (const char* build : kBuilds)
    EXPECT_FALSE(program::back_offs(of_several_locks(build, "held_for_ever").binary).empty()) << build;
  EXPECT_TRUE(program::back_offs(program::configure("gcc-O0", "library_waits").binary).empty());
  EXPECT_TRUE(program::back_offs("/nonexistent").empty());
}

}  // namespace
}  // namespace mazurka

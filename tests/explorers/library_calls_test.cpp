// Calls of C library functions where plain accesses are steps: each is one step with all of its accesses.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "explorers/explored.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka {
namespace {

using Ends = std::map<std::string, int>;

Ends all_interleavings(const program::Configuration& configuration) {
  program::ProgramExecutor executor(configuration);
  Ends ends;
  testing::Exhaustive(executor, [&](const Execution& execution) {
    ends[std::to_string(execution.exit_status)] = 1;
  }).run();
  return ends;
}

TEST(LibraryCalls, AreStepsWherePlainAccessesAre) {
  const std::map<std::string, Ends> expected = {
      // The first value that is read, and the second: 1 before the call, then what stood in the text.
      {"scan", {{"17", 1}, {"18", 1}, {"19", 1}, {"34", 1}}},
      {"print", {{"1", 1}, {"2", 1}}},
      {"sort", {{"49", 1}, {"51", 1}, {"19", 1}}},
      {"split", {{"18", 1}, {"33", 1}}},
  };
  for (const auto& [scenario, ends] : expected)
    for (const char* build : {"gcc-O0", "clang-O0"}) {
      program::Configuration configuration = program::configure(build, "library_calls", {scenario});
      configuration.settings.plain = protocol::Plain::Explore;
      if (scenario != "sort") {  // which has too many interleavings
        EXPECT_EQ(all_interleavings(configuration), ends) << build << ' ' << scenario;
      }
      for (int algorithm = 0; algorithm < 4; ++algorithm) {
        configuration.settings.isolation = protocol::Isolation::Memory;
        configuration.settings.checkpoints = 0;
        EXPECT_EQ(once_each(explore(configuration, algorithm)), ends) << build << ' ' << scenario << ' ' << algorithm;
        configuration.settings.checkpoints = 1;
        EXPECT_EQ(once_each(explore(configuration, algorithm)), ends) << scenario << ", checkpoints";
        configuration.settings.isolation = protocol::Isolation::Fork;
        EXPECT_EQ(once_each(explore(configuration, algorithm)), ends) << scenario << ", fork";
      }
    }
}

}  // namespace
}  // namespace mazurka

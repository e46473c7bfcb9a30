// Programs with a data race and their twins without one: every race is found, with the lines of both accesses, and
// there are no false alarms. In tests/programs/races.cpp the lines that race have a comment with the name of the
// scenario.
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "program/symbols.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

const char* const kBuilds[] = {"gcc-O0", "gcc-O2", "clang-O0", "clang-O2"};

struct Table {
  std::set<std::string> all;
  std::map<std::string, std::set<int>> lines;  ///< of scenarios with an error
  std::map<std::string, std::string> kinds;
};

/// The scenarios of a file, with the lines that carry their names.
Table read_table(const std::string& file) {
  Table table;
  std::ifstream in(std::string(MAZURKA_SOURCE_DIR "/tests/programs/") + file);
  std::string line;
  const std::regex marker(R"(/\* (\w+)([\w -]*) \*/)");
  const std::regex scenario(R"(SCENARIO\((\w+)\))");
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("#define")) continue;
    for (std::sregex_iterator i(line.begin(), line.end(), marker), end; i != end; ++i) {
      table.lines[(*i)[1]].insert(number);
      table.kinds[(*i)[1]] = (*i)[2].length() == 0 ? "data race" : (*i)[2].str().substr(1);
    }
    for (std::sregex_iterator i(line.begin(), line.end(), scenario), end; i != end; ++i) table.all.insert((*i)[1]);
  }
  return table;
}

/// The innermost line of a stack in `file`.
int line_in(const Symbols& symbols, const std::string& file, const CallStack& stack) {
  for (const std::uint64_t site : stack)
    if (const CodePlace place = symbols.code(site - 1); place.file == file) return place.line;
  return 0;
}

struct Found {};

struct FirstError {
  std::string kind;
  std::set<int> lines;
  std::string message;
};

/// The first error among all executions, if there is one.
FirstError first_error(const std::string& build, const std::string& program, const std::string& scenario,
                       protocol::Plain plain) {
  Configuration configuration = configure(build, program, {scenario});
  configuration.settings.plain = plain;
  configuration.strict = true;
  ProgramExecutor executor(configuration);
  const Symbols symbols(executor.binary());
  FirstError result;
  const auto visit = [&](const Execution& execution) {
    if (!execution.failure) return;
    const Failure& failure = execution.failure;
    result.kind = name(failure.kind);
    result.message = testing::failure_key(execution);
    const std::string file = program + ".cpp";
    const auto* clash = std::get_if<MemoryClash>(&failure.detail);
    if (failure.kind == FailureKind::DataRace) {
      result.lines = {line_in(symbols, file, clash->now.stack), line_in(symbols, file, clash->before.stack)};
    } else if (failure.kind == FailureKind::Leak) {
      result.lines = {line_in(symbols, file, std::get<LeakedBlocks>(failure.detail).first.stack)};
    } else {
      const CodePlace place = symbols.code(failure.site - 1);
      result.lines = {place.file == file ? place.line
                      : clash == nullptr ? 0
                                         : line_in(symbols, file, clash->now.stack)};
    }
    throw Found();
  };
  try {
    testing::Exhaustive(executor, visit).run();
  } catch (const Found&) {
  }
  return result;
}

class Findings : public ::testing::TestWithParam<const char*> {
 protected:
  static void compare(const std::string& program, std::size_t errors, std::size_t twins,
                      protocol::Plain plain = protocol::Plain::Check) {
    const Table table = read_table(program + ".cpp");
    EXPECT_GE(table.lines.size(), errors);
    EXPECT_GE(table.all.size() - table.lines.size(), twins);
    for (const std::string& scenario : table.all) {
      const FirstError found = first_error(GetParam(), program, scenario, plain);
      const auto lines = table.lines.find(scenario);
      if (lines == table.lines.end()) {
        EXPECT_EQ(found.kind, "") << scenario << ": " << found.message;
        continue;
      }
      if (plain == protocol::Plain::Explore && table.kinds.at(scenario) == "data race") {
        EXPECT_NE(found.kind, "") << scenario << ": what races with the end of an object's life uses it afterwards too";
        continue;
      }
      EXPECT_EQ(found.kind, table.kinds.at(scenario)) << scenario << ": " << found.message;
      EXPECT_EQ(found.lines, lines->second) << scenario << ": " << found.message;
    }
  }
};

TEST_P(Findings, OfRaces) { compare("races", 35, 38); }
TEST_P(Findings, OfAccessesThatCompilersDoNotAnnounce) { compare("unannounced", 11, 12); }
TEST_P(Findings, OfArguments) { compare("arguments", 57, 61); }
TEST_P(Findings, OfRacesInAnnotatedPrograms) { compare("annotations", 8, 3); }
TEST_P(Findings, OfLargeAccesses) { compare("large", 13, 7); }
TEST_P(Findings, OfRacesInCallsOfTheLibrary) { compare("library", 40, 46); }
TEST_P(Findings, OfMemoryErrors) { compare("memory", 20, 20); }
TEST_P(Findings, OfMemoryErrorsWhereAccessesAreSteps) { compare("memory", 20, 20, protocol::Plain::Explore); }

INSTANTIATE_TEST_SUITE_P(Builds, Findings, ::testing::ValuesIn(kBuilds), [](const auto& build) {
  std::string name = build.param;
  name.replace(name.find('-'), 1, "_");
  return name;
});

}  // namespace
}  // namespace mazurka::program

// What an exploration of a program finds, for comparisons.
#pragma once

#include <map>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "dpor/explore.hpp"
#include "program/program_test.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka {

/// Of programs that depend on what is inlined.
inline constexpr const char* kBuilds[] = {"gcc-O0", "gcc-O2", "clang-O0", "clang-O2"};

/// Counts the ways in which executions fail.
class Failures final : public Listener {
 public:
  bool on_error(const Execution& execution, std::uint64_t) override {
    ++kinds[execution.failure.kind == FailureKind::ExitStatus ? std::to_string(execution.exit_status)
                                                              : name(execution.failure.kind)];
    return true;
  }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { kinds.clear(); }

  std::map<std::string, int> kinds;
};

struct Explored {
  std::uint64_t executions = 0;
  std::uint64_t cut = 0;
  std::map<std::string, int> errors;
  bool operator==(const Explored&) const = default;
};
inline void PrintTo(const Explored& explored, std::ostream* out) {
  *out << explored.executions << " executions, " << explored.cut << " cut";
  for (const auto& [kind, count] : explored.errors) *out << ", " << count << " times " << kind;
}

/// What may happen, without how often.
inline std::map<std::string, int> once_each(const Explored& explored) {
  std::map<std::string, int> result = explored.errors;
  for (auto& [kind, count] : result) count = 1;
  return result;
}

/// By the DPOR algorithms (0, 1, 2) or by the unfolding (3).
inline Explored explore(const program::Configuration& configuration, int algorithm) {
  program::ProgramExecutor executor(configuration);
  Failures failures;
  Statistics statistics;
  if (algorithm < 3) {
    dpor::Options options;
    options.algorithm = static_cast<dpor::Algorithm>(algorithm);
    const dpor::Result result = dpor::explore(executor, options, failures);
    EXPECT_TRUE(result.complete);
    statistics = result.statistics;
  } else {
    const unfolding::Result result = unfolding::Explorer(executor, {}).run(failures);
    EXPECT_TRUE(result.complete);
    statistics = result.statistics;
  }
  EXPECT_EQ(statistics.blocked, 0U);
  return {statistics.executions, statistics.cut, failures.kinds};
}

}  // namespace mazurka

// Explorations do not depend on the number of workers: the same executions, and the same sets of them.
#include <string>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "dpor/explore.hpp"
#include "explorers/visited.hpp"
#include "program/program_test.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka {
namespace {

using Program = std::pair<std::string, std::string>;

class SeveralWorkers : public ::testing::TestWithParam<Program> {
 protected:
  template <class Explore>
  static auto with_workers(std::uint32_t workers, Explore&& explore) {
    const auto& [program, argument] = GetParam();
    program::Configuration configuration =
        program::configure(program == "posix" || program == "standard" ? "gcc" : "papers", program, {argument});
    configuration.workers = workers;
    program::ProgramExecutor executor(configuration);
    testing::Recorder recorder(executor);
    testing::Silent listener;
    const auto result = explore(recorder, listener);
    const Statistics& s = result.statistics;
    EXPECT_TRUE(result.complete);
    return std::tuple(recorder.visited.classes, recorder.visited.errors, s.executions, s.blocked, s.events, s.errors,
                      result.probes);
  }
};

TEST_P(SeveralWorkers, ChangeNothingInDpor) {
  using enum dpor::Algorithm;
  for (const dpor::Algorithm algorithm : {Source, Optimal, Observers}) {
    const auto explore = [&](Executor& executor, Listener& listener) {
      dpor::Options options;
      options.algorithm = algorithm;
      return dpor::explore(executor, options, listener);
    };
    EXPECT_EQ(with_workers(1, explore), with_workers(2, explore)) << "algorithm " << static_cast<int>(algorithm);
  }
}

TEST_P(SeveralWorkers, ChangeNothingInTheUnfolding) {
  const auto explore = [&](Executor& executor, Listener& listener) {
    return unfolding::Explorer(executor, {}).run(listener);
  };
  EXPECT_EQ(with_workers(1, explore), with_workers(2, explore));
}

INSTANTIATE_TEST_SUITE_P(Programs, SeveralWorkers,
                         ::testing::Values(Program{"posix", "several_waiters"}, Program{"posix", "rwlock"},
                                           Program{"posix", "try_semaphore"}, Program{"posix", "atomic_section"},
                                           Program{"posix", "choices"}, Program{"posix", "deadlock"},
                                           Program{"posix", "abort"}, Program{"posix", "null"},
                                           Program{"standard", "conditions"}, Program{"standard", "exceptions"},
                                           Program{"lastwrite", "5"}, Program{"readers", "5"}, Program{"mpat", "3"}),
                         [](const auto& program) { return program.param.first + "_" + program.param.second; });

}  // namespace
}  // namespace mazurka

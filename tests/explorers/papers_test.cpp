// The programs of the papers: how many executions each algorithm explores is known exactly.
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dpor/explore.hpp"
#include "program/executor.hpp"
#include "support/failure_key.hpp"
#include "support/property.hpp"

namespace mazurka {
namespace {

struct Known {
  std::string program;
  std::vector<std::string> arguments;
  std::uint64_t executions;                 ///< up to equivalence
  std::optional<std::uint64_t> observed{};  ///< up to observer equivalence, if that is another number
  std::uint64_t cut = 0;                    ///< ended by an assumption
  std::uint64_t cut_observed = 0;           ///< the same, with observers
  bool source_may_block = false;            ///< Source-DPOR explores redundant executions too
};

void PrintTo(const Known& known, std::ostream* stream) {
  *stream << known.program;
  for (const std::string& argument : known.arguments) *stream << '_' << argument;
}

struct NoError final : Listener {
  bool on_error(const Execution& execution, std::uint64_t) override {
    ADD_FAILURE() << testing::failure_key(execution);
    return false;
  }
  bool on_progress(const Statistics&) override { return true; }
};

class Papers : public ::testing::TestWithParam<Known> {};

TEST_P(Papers, MeetsThePapersNumbers) {
  const Known& known = GetParam();
  program::Configuration configuration;
  configuration.binary = fmt::format("{}/tests/programs/papers/{}", MAZURKA_BUILD_DIR, known.program);
  configuration.arguments = known.arguments;
  configuration.settings.reduce_waits = false;  // assumptions are waits in none of the papers
  using enum dpor::Algorithm;
  for (const dpor::Algorithm algorithm : {Source, Optimal, Observers}) {
    program::ProgramExecutor executor(configuration);
    NoError listener;
    dpor::Options options;
    options.algorithm = algorithm;
    const dpor::Result result = dpor::explore(executor, options, listener);
    SCOPED_TRACE(static_cast<int>(algorithm));
    EXPECT_TRUE(result.complete);
    const bool observers = algorithm == Observers && known.observed.has_value();
    EXPECT_EQ(result.statistics.executions, observers ? *known.observed : known.executions);
    EXPECT_EQ(result.statistics.cut, observers ? known.cut_observed : known.cut);
    EXPECT_TRUE(result.statistics.blocked == 0 || (algorithm == Source && known.source_may_block));
  }
}

// With the first initials, Source-DPOR has the blocked executions that *Quasi-Optimal POR* reports for another tool.
TEST(Published, BlockedExecutionsOfSource) {
  if (testing::property_cases(100) < 100) GTEST_SKIP() << "this takes minutes with sanitizers";
  program::Configuration configuration;
  configuration.binary = fmt::format("{}/tests/programs/papers/pol", MAZURKA_BUILD_DIR);
  configuration.arguments = {"7", "3"};
  program::ProgramExecutor executor(configuration);
  NoError listener;
  dpor::Options options;
  options.algorithm = dpor::Algorithm::Source;
  options.initial = dpor::Initial::First;
  const dpor::Result result = dpor::explore(executor, options, listener);
  EXPECT_EQ(result.statistics.executions, 2440U);
  EXPECT_EQ(result.statistics.blocked, 90072U);
}

std::string name_of(const ::testing::TestParamInfo<Known>& info) {
  std::string name = info.param.program;
  for (const std::string& argument : info.param.arguments) name += '_' + argument;
  return name;
}

constexpr bool kMayBlock = true;

INSTANTIATE_TEST_SUITE_P(SharedMemory, Papers,
                         ::testing::Values(Known{"lastwrite", {"2"}, 2, 2}, Known{"lastwrite", {"5"}, 120, 5},
                                           Known{"lastwrite", {"7"}, 5040, 7}, Known{"floating_read", {"2"}, 6, 5},
                                           Known{"floating_read", {"6"}, 5040, 193}, Known{"fib_bench", {"4"}, 19605},
                                           Known{"fib_bench", {"4", "1"}, 1107}, Known{"fib_bench", {"5", "1"}, 8953},
                                           Known{"lamport", {"2"}, 16, 14, 16, 12},
                                           Known{"lamport", {"3"}, 9216, 5466, 11525, 6132, kMayBlock},
                                           Known{"counter_mutex", {"6"}, 720}, Known{"indexer", {"12"}, 8},
                                           Known{"indexer", {"13"}, 64}, Known{"indexer", {"14"}, 512},
                                           Known{"lastzero", {"5"}, 64, {}, 0, 0, kMayBlock},
                                           Known{"lastzero", {"10"}, 3328, {}, 0, 0, kMayBlock},
                                           Known{"readers", {"8"}, 256}, Known{"filesystem", {"14"}, 2},
                                           Known{"filesystem", {"16"}, 8}, Known{"filesystem", {"18"}, 32},
                                           Known{"filesystem", {"19"}, 64}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Messages, Papers,
                         ::testing::Values(Known{"not_selective", {"2"}, 2}, Known{"not_selective", {"6"}, 720},
                                           Known{"not_selective", {"7"}, 5040}, Known{"selective", {"2"}, 2, 1},
                                           Known{"selective", {"6"}, 720, 1}, Known{"selective", {"7"}, 5040, 1},
                                           Known{"lock", {"3"}, 30, 6}, Known{"lock", {"4"}, 336, 24},
                                           Known{"lock", {"5"}, 5040, 120}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Nightly, Papers,
                         ::testing::Values(Known{"not_selective", {"8"}, 40320}, Known{"selective", {"8"}, 40320, 1},
                                           Known{"lock", {"6"}, 95040, 720}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Mutexes, Papers,
    ::testing::Values(
        Known{"disp", {"1", "1"}, 4}, Known{"disp", {"4", "1"}, 10}, Known{"disp", {"1", "2"}, 12},
        Known{"disp", {"1", "3"}, 32}, Known{"disp", {"2", "2"}, 32, {}, 0, 0, kMayBlock},
        Known{"disp", {"2", "3"}, 150, {}, 0, 0, kMayBlock}, Known{"disp", {"3", "2"}, 59, {}, 0, 0, kMayBlock},
        Known{"disp", {"3", "3"}, 398, {}, 0, 0, kMayBlock}, Known{"disp", {"4", "2"}, 94, {}, 0, 0, kMayBlock},
        Known{"disp", {"4", "3"}, 826, {}, 0, 0, kMayBlock}, Known{"disp", {"5", "2"}, 137, {}, 0, 0, kMayBlock},
        Known{"disp", {"5", "3"}, 1482, {}, 0, 0, kMayBlock}, Known{"mpat", {"4"}, 384}, Known{"mpat", {"5"}, 3840},
        Known{"mpc", {"1", "5"}, 3}, Known{"mpc", {"2", "2"}, 54, {}, 0, 0, kMayBlock},
        Known{"mpc", {"2", "3"}, 66, {}, 0, 0, kMayBlock}, Known{"mpc", {"2", "4"}, 54, {}, 0, 0, kMayBlock},
        Known{"mpc", {"2", "5"}, 60, {}, 0, 0, kMayBlock}, Known{"pi", {"5"}, 120}, Known{"pi", {"6"}, 720},
        Known{"pol", {"5", "1"}, 10, {}, 0, 0, kMayBlock}, Known{"pol", {"2", "2"}, 14, {}, 0, 0, kMayBlock},
        Known{"pol", {"2", "3"}, 40, {}, 0, 0, kMayBlock}, Known{"pol", {"3", "2"}, 33, {}, 0, 0, kMayBlock},
        Known{"pol", {"3", "3"}, 160, {}, 0, 0, kMayBlock}, Known{"pol", {"4", "2"}, 60, {}, 0, 0, kMayBlock},
        Known{"pol", {"4", "3"}, 412, {}, 0, 0, kMayBlock}, Known{"pol", {"5", "2"}, 95, {}, 0, 0, kMayBlock},
        Known{"pol", {"5", "3"}, 844, {}, 0, 0, kMayBlock}, Known{"ssbsimple", {}, 6, {}, 0, 0, kMayBlock},
        Known{"ssbexp", {"3"}, 6, {}, 0, 0, kMayBlock}, Known{"ssbexp", {"6"}, 12, {}, 0, 0, kMayBlock},
        Known{"ssb3", {"1", "2"}, 8, {}, 0, 0, kMayBlock}, Known{"ssb3", {"5", "4"}, 80, {}, 0, 0, kMayBlock},
        Known{"spat", {"3", "4"}, 6}, Known{"spat", {"4", "5"}, 24, {}, 0, 0, kMayBlock},
        Known{"spat", {"5", "5"}, 72, {}, 0, 0, kMayBlock}),
    name_of);

}  // namespace
}  // namespace mazurka

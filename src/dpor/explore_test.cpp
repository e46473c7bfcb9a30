#include "dpor/explore.hpp"

#include <ostream>
#include <set>

#include <gtest/gtest.h>

#include "core/foata.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "support/oracle.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"
#include "support/recorder.hpp"

namespace mazurka::dpor {
namespace {

using network::Network;
using network::NetworkExecutor;
using testing::ClassRecorder;
using testing::Silent;

Result explore_family(const Options& options, const char* family, std::vector<unsigned> arguments) {
  const Network network = network::generate(family, arguments);
  NetworkExecutor executor(network);
  Silent listener;
  return explore(executor, options, listener);
}

struct Variant {
  const char* name;
  Algorithm algorithm;
  Initial initial = Initial::Last;

  Options options() const {
    Options options;
    options.algorithm = algorithm;
    options.initial = initial;
    return options;
  }
};

void PrintTo(const Variant& variant, std::ostream* stream) { *stream << variant.name; }

class Dpor : public ::testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(, Dpor,
                         ::testing::Values(Variant{"Source", Algorithm::Source},
                                           Variant{"SourceFirst", Algorithm::Source, Initial::First},
                                           Variant{"Optimal", Algorithm::Optimal},
                                           Variant{"Observers", Algorithm::Observers}),
                         [](const auto& test) { return test.param.name; });

TEST_P(Dpor, VisitsEveryClassOfRandomNetworksExactlyOnce) {
  constexpr int kCases = 3'000;
  int compared = 0;
  EXPECT_TRUE(testing::property("DPOR = oracle", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    const testing::OracleResult oracle = testing::brute_force(executor, 2'000);
    if (!oracle.complete) return;
    ++compared;
    ClassRecorder recorder(executor);
    Silent listener;
    const Result result = explore(recorder, GetParam().options(), listener);
    RC_ASSERT(result.complete);
    RC_ASSERT(!recorder.repeated);
    RC_ASSERT(recorder.classes == oracle.classes);
    RC_ASSERT(result.statistics.executions == oracle.classes.size());
    RC_ASSERT(recorder.deadlocks == oracle.deadlocks);
    RC_ASSERT(recorder.final_states == oracle.final_states);
    if (GetParam().algorithm != Algorithm::Source) RC_ASSERT(result.statistics.blocked == 0U);
  }));
  EXPECT_GE(compared, testing::property_cases(kCases) * 8 / 10);
}

// 2^K K! classes (mpat), 2(n + 1) (qo), one per assignment of the leaves (bg); in fs, thread 13 + i meets thread i.
TEST_P(Dpor, MeetsKnownNumbersOfClasses) {
  const auto classes = [](const char* family, unsigned size) {
    return explore_family(GetParam().options(), family, {size}).statistics.executions;
  };
  EXPECT_EQ(classes("mpat", 4), 384U);
  EXPECT_EQ(classes("mpat", 5), 3840U);
  EXPECT_EQ(classes("qo", 10), 22U);
  EXPECT_EQ(classes("bg", 2), 16U);
  EXPECT_EQ(classes("bg", 3), 256U);
  EXPECT_EQ(classes("fs", 6), 1U);
  EXPECT_EQ(classes("fs", 14), 2U);
  EXPECT_EQ(classes("fs", 16), 8U);
}

TEST_P(Dpor, ALimitIsNotAProof) {
  const std::vector<unsigned> arguments{4};
  const Network network = network::generate("mpat", arguments);
  NetworkExecutor executor(network);
  Silent listener;
  Options options = GetParam().options();
  options.max_executions = 10;
  EXPECT_FALSE(explore(executor, options, listener).complete);
  options = GetParam().options();
  options.max_steps = 5;
  EXPECT_FALSE(explore(executor, options, listener).complete);
}

}  // namespace
}  // namespace mazurka::dpor

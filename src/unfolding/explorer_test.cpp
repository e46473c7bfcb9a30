#include "unfolding/explorer.hpp"

#include <set>

#include <gtest/gtest.h>

#include "core/foata.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "support/oracle.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"
#include "support/recorder.hpp"

namespace mazurka::unfolding {
namespace {

using network::Network;
using network::NetworkExecutor;
using testing::ClassRecorder;
using testing::Silent;

constexpr std::size_t kOptimal = Alternatives::kOptimal;

Options with(std::size_t k) {
  Options options;
  options.alternatives = k;
  return options;
}

class Unfolding : public ::testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(, Unfolding, ::testing::Values(1, 2, 3, kOptimal), [](const auto& test) {
  return test.param == kOptimal ? std::string("Optimal") : "K" + std::to_string(test.param);
});

TEST_P(Unfolding, VisitsEveryClassOfRandomNetworksExactlyOnce) {
  constexpr int kCases = 3'000;
  int compared = 0;
  EXPECT_TRUE(testing::property("maximal configurations = oracle", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    const testing::OracleResult oracle = testing::brute_force(executor, 2'000);
    if (!oracle.complete) return;
    ++compared;
    ClassRecorder recorder(executor);
    Silent listener;
    Options options = with(GetParam());
    options.clean_up_at = 16;
    const Result result = Explorer(recorder, options).run(listener);
    RC_ASSERT(result.complete);
    RC_ASSERT(!recorder.repeated);
    RC_ASSERT(recorder.classes == oracle.classes);
    RC_ASSERT(result.statistics.executions == oracle.classes.size());
    RC_ASSERT(recorder.deadlocks == oracle.deadlocks);
    if (GetParam() == kOptimal) RC_ASSERT(result.statistics.blocked == 0U);
  }));
  EXPECT_GE(compared, testing::property_cases(kCases) * 8 / 10);
}

Result explore(std::size_t k, const char* family, std::vector<unsigned> arguments) {
  const Network network = network::generate(family, arguments);
  NetworkExecutor executor(network);
  Silent listener;
  return Explorer(executor, with(k)).run(listener);
}

// 2^K K! classes (mpat), 2(n + 1) (qo), one per assignment of the leaves (bg); in fs, thread 13 + i meets thread i.
TEST_P(Unfolding, MeetsKnownNumbersOfClasses) {
  const auto classes = [](const char* family, unsigned size) {
    return explore(GetParam(), family, {size}).statistics.executions;
  };
  EXPECT_EQ(classes("mpat", 4), 384U);
  EXPECT_EQ(classes("mpat", 5), 3840U);
  EXPECT_EQ(classes("qo", 7), 16U);
  EXPECT_EQ(classes("bg", 2), 16U);
  EXPECT_EQ(classes("bg", 3), 256U);
  EXPECT_EQ(classes("fs", 6), 1U);
  EXPECT_EQ(classes("fs", 14), 2U);
  EXPECT_EQ(classes("fs", 16), 8U);
}

TEST_P(Unfolding, ALimitIsNotAProof) {
  const std::vector<unsigned> arguments{4};
  const Network network = network::generate("mpat", arguments);
  NetworkExecutor executor(network);
  Silent listener;
  Options options = with(GetParam());
  options.max_executions = 10;
  EXPECT_FALSE(Explorer(executor, options).run(listener).complete);
  options = with(GetParam());
  options.max_steps = 5;
  EXPECT_FALSE(Explorer(executor, options).run(listener).complete);
}

}  // namespace
}  // namespace mazurka::unfolding

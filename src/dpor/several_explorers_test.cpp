// Several explorers at once visit the same classes as one, each once, whatever the timing.
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "dpor/exploration.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "support/forwarding.hpp"
#include "support/oracle.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"
#include "support/recorder.hpp"

namespace mazurka::dpor {
namespace {

using network::Network;
using network::NetworkExecutor;

/// Answers late, now and then.
class Late final : public testing::Forwarding {
 public:
  Late(Executor& inner, unsigned seed) : Forwarding(inner), random_(seed) {}

 private:
  void seen(const Job&, Execution&) override {
    if (random_() % 32 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
  }
  std::mt19937 random_;
};

/// Executors for several explorers of one network.
struct Explorers {
  Explorers(const Network& network, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      executors.push_back(std::make_unique<NetworkExecutor>(network));
      late.push_back(std::make_unique<Late>(*executors.back(), static_cast<unsigned>(i)));
      recorders.push_back(std::make_unique<testing::ClassRecorder>(*late.back()));
      all.push_back(recorders.back().get());
    }
  }
  std::vector<std::unique_ptr<NetworkExecutor>> executors;
  std::vector<std::unique_ptr<Late>> late;
  std::vector<std::unique_ptr<testing::ClassRecorder>> recorders;
  std::vector<Executor*> all;
};

class SeveralExplorers : public ::testing::TestWithParam<Algorithm> {};

INSTANTIATE_TEST_SUITE_P(, SeveralExplorers,
                         ::testing::Values(Algorithm::Source, Algorithm::Optimal, Algorithm::Observers));

TEST_P(SeveralExplorers, VisitEveryClassOfRandomNetworksExactlyOnce) {
  constexpr int kCases = 100;
  std::size_t count = 1;
  EXPECT_TRUE(testing::property("explorers = oracle", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    const testing::OracleResult oracle = testing::brute_force(executor, 500);
    if (!oracle.complete) return;
    count = count == 8 ? 2 : count + 1;
    Explorers explorers(network, count);
    testing::Silent listener;
    Options options;
    options.algorithm = GetParam();
    const Result result = Exploration(explorers.all, options).run(listener);
    RC_ASSERT(result.complete);
    RC_ASSERT(result.statistics.executions == oracle.classes.size());
    std::set<FoataForm> classes;
    for (const auto& recorder : explorers.recorders) {
      RC_ASSERT(!recorder->repeated);
      for (const FoataForm& form : recorder->classes) RC_ASSERT(classes.insert(form).second);
    }
    RC_ASSERT(classes == oracle.classes);
    if (GetParam() != Algorithm::Source) RC_ASSERT(result.statistics.blocked == 0U);
  }));
}

TEST_P(SeveralExplorers, ShareALargeSearch) {
  const std::vector<unsigned> arguments{5};
  const Network network = network::generate("mpat", arguments);
  for (const std::size_t count : {2, 3, 8}) {
    Explorers explorers(network, count);
    testing::Silent listener;
    Options options;
    options.algorithm = GetParam();
    const Result result = Exploration(explorers.all, options).run(listener);
    EXPECT_EQ(result.statistics.executions, 3840U);
    ASSERT_EQ(result.explorers.size(), count);
    for (const Statistics& one : result.explorers) EXPECT_GT(one.executions, 0U);
  }
}

}  // namespace
}  // namespace mazurka::dpor

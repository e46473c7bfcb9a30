// Several explorers at once visit the same classes as one, each once, whatever the timing.
#include <chrono>
#include <memory>
#include <ostream>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/foata.hpp"
#include "dpor/explore.hpp"
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
    if (random_() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 100));
  }
  std::mt19937 random_;
};

/// Executors for several explorers of one network.
struct Explorers {
  Explorers(const Network& network, std::size_t count, unsigned seed) {
    for (std::size_t i = 0; i < count; ++i) {
      executors.push_back(std::make_unique<NetworkExecutor>(network));
      late.push_back(std::make_unique<Late>(*executors.back(), seed + static_cast<unsigned>(i)));
      recorders.push_back(std::make_unique<testing::ClassRecorder>(*late.back()));
      all.push_back(recorders.back().get());
    }
  }
  std::vector<std::unique_ptr<NetworkExecutor>> executors;
  std::vector<std::unique_ptr<Late>> late;
  std::vector<std::unique_ptr<testing::ClassRecorder>> recorders;
  std::vector<Executor*> all;
};

struct Team {
  const char* name;
  Algorithm algorithm;
  bool always_hands_over;

  Options options() const {
    Options options;
    options.algorithm = algorithm;
    options.always_hands_over = always_hands_over;
    return options;
  }
};

void PrintTo(const Team& variant, std::ostream* stream) { *stream << variant.name; }

class SeveralExplorers : public ::testing::TestWithParam<Team> {};

INSTANTIATE_TEST_SUITE_P(, SeveralExplorers,
                         ::testing::Values(Team{"Source", Algorithm::Source, false},
                                           Team{"Optimal", Algorithm::Optimal, false},
                                           Team{"Observers", Algorithm::Observers, false},
                                           Team{"SourceInPieces", Algorithm::Source, true},
                                           Team{"OptimalInPieces", Algorithm::Optimal, true},
                                           Team{"ObserversInPieces", Algorithm::Observers, true}),
                         [](const auto& test) { return test.param.name; });

TEST_P(SeveralExplorers, VisitEveryClassOfRandomNetworksExactlyOnce) {
  constexpr int kCases = 150;
  constexpr std::size_t kCounts[] = {2, 3, 8, 1};
  unsigned compared = 0;
  EXPECT_TRUE(testing::property("explorers = oracle", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    const testing::OracleResult oracle = testing::brute_force(executor, 500);
    if (!oracle.complete) return;
    ++compared;
    Explorers explorers(network, kCounts[compared % 4], compared);
    testing::Silent listener;
    const Result result = explore(explorers.all, GetParam().options(), listener);
    RC_ASSERT(result.complete);
    std::set<FoataForm> classes;
    for (const auto& recorder : explorers.recorders) {
      RC_ASSERT(!recorder->repeated);
      for (const FoataForm& form : recorder->classes) RC_ASSERT(classes.insert(form).second);
    }
    RC_ASSERT(classes == oracle.classes);
    RC_ASSERT(result.statistics.executions == oracle.classes.size());
    if (GetParam().algorithm != Algorithm::Source) RC_ASSERT(result.statistics.blocked == 0U);
  }));
  EXPECT_GE(compared, static_cast<unsigned>(testing::property_cases(kCases) / 2));
}

TEST_P(SeveralExplorers, ShareALargeSearch) {
  const std::vector<unsigned> arguments{5};
  const Network network = network::generate("mpat", arguments);
  for (const std::size_t count : {1, 2, 3, 8}) {
    Explorers explorers(network, count, static_cast<unsigned>(count));
    testing::Silent listener;
    const Result result = explore(explorers.all, GetParam().options(), listener);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.executions, 3840U);
    std::set<FoataForm> classes;
    for (const auto& recorder : explorers.recorders) classes.insert(recorder->classes.begin(), recorder->classes.end());
    EXPECT_EQ(classes.size(), 3840U);
    EXPECT_EQ(result.explorers.size(), count);
  }
}

TEST_P(SeveralExplorers, KeepToALimit) {
  const std::vector<unsigned> arguments{5};
  const Network network = network::generate("mpat", arguments);
  Explorers explorers(network, 3, 1);
  testing::Silent listener;
  Options options = GetParam().options();
  options.max_executions = 100;
  const Result result = explore(explorers.all, options, listener);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.statistics.runs(), 100U);
}

}  // namespace
}  // namespace mazurka::dpor

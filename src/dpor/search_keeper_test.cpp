// A search that is kept, ended at any moment and resumed from what was kept visits every class once.
#include <atomic>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dpor/explore.hpp"
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

struct KeptExplorers {
  KeptExplorers(const Network& network, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      executors.push_back(std::make_unique<NetworkExecutor>(network));
      recorders.push_back(std::make_unique<testing::ClassRecorder>(*executors.back()));
      all.push_back(recorders.back().get());
    }
  }
  /// Those visited so far. Fails where one was visited twice.
  std::set<FoataForm> classes() const {
    std::set<FoataForm> joint;
    for (const auto& recorder : recorders) {
      EXPECT_FALSE(recorder->repeated);
      for (const FoataForm& form : recorder->classes) EXPECT_TRUE(joint.insert(form).second) << "visited twice";
    }
    return joint;
  }
  std::vector<std::unique_ptr<NetworkExecutor>> executors;
  std::vector<std::unique_ptr<testing::ClassRecorder>> recorders;
  std::vector<Executor*> all;
};

/// Keeps the search after some executions each time, and in the end has it stopped.
class Keeper final : public SearchKeeper {
 public:
  Keeper(const KeptExplorers& explorers, std::uint64_t seed, std::size_t most)
      : explorers_(explorers), random_(seed), left_(static_cast<int>(random_.below(20))), most_(most) {}
  bool is_due() override {
    if (left_ <= 0) return !stopped;
    --left_;
    return false;
  }
  void keep(const SearchState& state) override {
    kept = state;
    classes = explorers_.classes();
    left_ = static_cast<int>(random_.below(20));
    if (++count_ == most_) stopped = true;
  }
  std::atomic<bool> stopped = false;
  std::optional<SearchState> kept;
  std::set<FoataForm> classes;

 private:
  const KeptExplorers& explorers_;
  SplitMix64 random_;
  std::atomic<int> left_;
  std::size_t most_;
  std::size_t count_ = 0;
};

struct UntilStopped final : Listener {
  explicit UntilStopped(const Keeper& by) : keeper(by) {}
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return !keeper.stopped; }
  const Keeper& keeper;
};

/// Explores in several parts. Returns what was visited, and the result.
std::pair<std::set<FoataForm>, Result> in_parts(const Network& network, const Options& wanted, std::uint64_t seed) {
  constexpr std::size_t kCounts[] = {1, 2, 3, 8};
  std::set<FoataForm> visited;
  std::optional<SearchState> state;
  for (;; ++seed) {
    KeptExplorers explorers(network, kCounts[seed % 4]);
    Keeper keeper(explorers, seed, 1 + seed % 3);
    UntilStopped listener(keeper);
    Options options = wanted;
    options.keeper = &keeper;
    options.from = state ? &*state : nullptr;
    const Result result = explore(explorers.all, options, listener);
    const std::set<FoataForm> classes = result.complete ? explorers.classes() : keeper.classes;
    for (const FoataForm& form : classes) EXPECT_TRUE(visited.insert(form).second) << "visited twice";
    if (result.complete) return {visited, result};
    if (!keeper.kept) continue;  // it ended before anything was kept, which only a limit does
    state = keeper.kept;
    EXPECT_EQ(state->statistics.executions, visited.size());
  }
}

class KeptSearch : public ::testing::TestWithParam<Algorithm> {};

INSTANTIATE_TEST_SUITE_P(, KeptSearch, ::testing::Values(Algorithm::Source, Algorithm::Optimal, Algorithm::Observers));

TEST_P(KeptSearch, VisitsEveryClassOfRandomNetworksExactlyOnce) {
  std::uint64_t seed = 0;
  EXPECT_TRUE(testing::property("in parts = oracle", 100, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    const testing::OracleResult oracle = testing::brute_force(executor, 500);
    if (!oracle.complete) return;
    Options options;
    options.algorithm = GetParam();
    options.always_hands_over = seed % 2 == 0;
    const auto [classes, result] = in_parts(network, options, ++seed);
    RC_ASSERT(classes == oracle.classes);
    RC_ASSERT(result.statistics.executions == oracle.classes.size());
    if (GetParam() != Algorithm::Source) RC_ASSERT(result.statistics.blocked == 0U);
  }));
}

TEST_P(KeptSearch, CanBeLarge) {
  const std::vector<unsigned> arguments{4};
  const Network network = network::generate("mpat", arguments);
  Options options;
  options.algorithm = GetParam();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto [classes, result] = in_parts(network, options, 100 * seed);
    EXPECT_EQ(classes.size(), 384U);
    EXPECT_EQ(result.statistics.executions, 384U);
  }
}

}  // namespace
}  // namespace mazurka::dpor

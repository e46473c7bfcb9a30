#include "unfolding/cutoffs.hpp"

#include <gtest/gtest.h>

#include "network/executor.hpp"
#include "network/families.hpp"
#include "network/reachability.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"
#include "support/recorder.hpp"
#include "support/state_recorder.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka::unfolding {
namespace {

using network::Network;
using network::NetworkExecutor;
using testing::StateRecorder;
using testing::States;

/// Relative to the initial state.
StateHash hash_of_state(const network::Product& product, const std::uint64_t* state) {
  StateHash hash;
  const auto initial = product.initial();
  for (network::ComponentId c = 0; c < product.network().components().size(); ++c)
    if (product.layout().get(state, c) != product.layout().get(initial.data(), c))
      hash ^= hash_of_change(c, product.layout().get(initial.data(), c), product.layout().get(state, c));
  return hash;
}

struct Variant {
  std::size_t alternatives;
  std::size_t cache;
  std::size_t clean_up_at;
  bool exact = false;
  unsigned hash_bits = 128;
};

class Cutoff : public ::testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(, Cutoff,
                         ::testing::Values(Variant{Alternatives::kOptimal, SIZE_MAX, 1U << 12},
                                           Variant{Alternatives::kOptimal, SIZE_MAX, 16},
                                           Variant{Alternatives::kOptimal, 0, 16},
                                           Variant{Alternatives::kOptimal, 3, 8}, Variant{1, SIZE_MAX, 16},
                                           Variant{2, 0, 16}, Variant{Alternatives::kOptimal, SIZE_MAX, 16, true},
                                           Variant{Alternatives::kOptimal, SIZE_MAX, 64, true, 3},
                                           Variant{Alternatives::kOptimal, 0, 16, true, 0},
                                           Variant{Alternatives::kOptimal, 3, 8, true, 2}),
                         [](const auto& test) { return "Variant" + std::to_string(test.index); });

TEST_P(Cutoff, ConfigurationsOfRandomCyclicNetworksHaveAllStatesAndDeadlocks) {
  constexpr int kCases = 150;
  int compared = 0;
  int cyclic = 0;
  std::uint64_t collisions = 0;
  EXPECT_TRUE(testing::property("states of configurations = states", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_cyclic_network(spec);
    NetworkExecutor executor(network);
    network::Reachability reference(executor.product(), {2'000});
    reference.run();
    if (!reference.complete()) return;
    StateRecorder recorder;
    Options options;
    options.alternatives = GetParam().alternatives;
    options.cutoffs = true;
    options.states.cache = GetParam().cache;
    options.clean_up_at = GetParam().clean_up_at;
    options.states.exact = GetParam().exact;
    options.states.hash_bits = GetParam().hash_bits;
    options.all_deltas = true;
    options.max_executions = 3'000;
    const Result result = Explorer(executor, options).run(recorder);
    if (recorder.too_many || result.statistics.runs() >= options.max_executions) return;
    ++compared;
    cyclic += result.cutoffs.cutoffs > 0 ? 1 : 0;
    collisions += result.cutoffs.collisions;
    RC_ASSERT(result.complete);
    if (options.alternatives == Alternatives::kOptimal) RC_ASSERT(result.statistics.blocked == 0U);
    States expected;
    for (network::StateId id = 0; id < reference.states(); ++id)
      expected.insert(hash_of_state(executor.product(), reference.state(id)));
    RC_ASSERT(expected.size() == reference.states());
    RC_ASSERT(recorder.states == expected);
    RC_ASSERT((recorder.deadlocks > 0) == !reference.deadlocks().empty());
    for (const network::StateId id : reference.deadlocks())
      RC_ASSERT(recorder.ends.contains(hash_of_state(executor.product(), reference.state(id))));
  }));
  EXPECT_GE(compared, testing::property_cases(kCases) * 7 / 10);
  EXPECT_GE(cyclic, testing::property_cases(kCases) * 3 / 10);
  EXPECT_EQ(collisions > 0, GetParam().hash_bits < 128);
}

/// What --exact is for: with short hashes and nothing else, states are lost.
TEST(Cutoffs, LoseStatesWithShortHashes) {
  int lost = 0;
  EXPECT_TRUE(testing::property("short hashes", 50, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_cyclic_network(spec);
    NetworkExecutor executor(network);
    network::Reachability reference(executor.product(), {500});
    reference.run();
    if (!reference.complete()) return;
    StateRecorder recorder;
    Options options;
    options.cutoffs = options.all_deltas = true;
    options.states.hash_bits = 2;
    options.max_executions = 3'000;
    Explorer(executor, options).run(recorder);
    lost += !recorder.too_many && recorder.states.size() < reference.states() ? 1 : 0;
  }));
  EXPECT_GT(lost, 0);
}

/// Where no state is reached twice, cutoffs change nothing.
TEST(Cutoffs, AbsentFromProgramsThatEnd) {
  for (const auto& [family, arguments] : {std::pair{"mpat", std::vector<unsigned>{3}}, {"qo", {5}}, {"disp", {3}}}) {
    const Network network = network::generate(family, arguments);
    NetworkExecutor executor(network);
    testing::Silent listener;
    Options options;
    const Result without = Explorer(executor, options).run(listener);
    options.cutoffs = true;
    const Result with = Explorer(executor, options).run(listener);
    EXPECT_TRUE(with.complete);
    EXPECT_LE(with.statistics.runs(), without.statistics.runs()) << family;
  }
}

}  // namespace
}  // namespace mazurka::unfolding

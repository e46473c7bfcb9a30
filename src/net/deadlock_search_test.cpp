#include "net/deadlock_search.hpp"

#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "net/net_reader.hpp"
#include "net/reachability.hpp"
#include "support/property.hpp"
#include "support/random_nets.hpp"

namespace mazurka::net {
namespace {

using Status = DeadlockSearch::Status;
constexpr std::uint64_t kForever = UINT64_MAX;

bool enabled(const WeightedNet::Transition& transition, const std::vector<std::uint32_t>& marking) {
  for (const auto& input : transition.inputs)
    if (marking[input.place] < input.needs) return false;
  return true;
}

std::vector<std::uint32_t> after(const WeightedNet::Transition& transition, std::vector<std::uint32_t> marking) {
  for (const auto& input : transition.inputs) marking[input.place] -= input.takes;
  for (const auto& output : transition.outputs) marking[output.place] += output.gives;
  return marking;
}

/// The dead markings, by definition; nothing where there are more than `most` markings.
std::optional<std::set<std::vector<std::uint32_t>>> dead_markings(const WeightedNet& net, std::size_t most) {
  std::set<std::vector<std::uint32_t>> seen{net.initial};
  std::set<std::vector<std::uint32_t>> dead;
  std::vector<std::vector<std::uint32_t>> queue{net.initial};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue.size() > most) return std::nullopt;
    bool stuck = true;
    for (const WeightedNet::Transition& transition : net.transitions) {
      if (!enabled(transition, queue[i])) continue;
      stuck = false;
      const auto next = after(transition, queue[i]);
      if (seen.insert(next).second) queue.push_back(next);
    }
    if (stuck) dead.insert(queue[i]);
  }
  return dead;
}

TEST(DeadlockSearch, AgreesWithTheGraphsOfSafeNets) {
  EXPECT_TRUE(testing::property("stubborn sets, safe", 1000, [] {
    const Net net = (*testing::component_nets(5, 10)).build();
    const ReachabilityGraph graph(net);
    DeadlockSearch search(weighted(net));
    RC_ASSERT(search.run(kForever) == (graph.deadlocks() > 0 ? Status::Found : Status::Exhausted));
    RC_ASSERT(search.markings() <= graph.markings().size());
    if (graph.deadlocks() == 0) return;
    const Simulator simulator(net);
    const auto marking = simulator.replay(search.path());
    RC_ASSERT(marking.has_value() && simulator.deadlocked(*marking));
  }));
}

TEST(DeadlockSearch, FindsEveryDeadlockOfWeightedNets) {
  int bounded = 0;
  EXPECT_TRUE(testing::property("stubborn sets, weighted", 1000, [&] {
    WeightedNet net = weighted((*testing::wild_nets()).build());
    for (auto& tokens : net.initial) tokens += *testing::below(3);
    for (auto& transition : net.transitions) {
      for (auto& input : transition.inputs) {
        const unsigned more = *testing::below(2);
        input.needs += more;
        if (input.takes != 0) input.takes += *testing::below(2) * more;
      }
      for (auto& output : transition.outputs) output.gives += *testing::below(5) / 4;
    }
    const auto dead = dead_markings(net, 2000);
    if (!dead) return;
    ++bounded;
    // Each that is found is called an end, so that the search goes on: all must be met.
    std::set<std::vector<std::uint32_t>> met;
    DeadlockSearch search(net, [&](std::span<const std::uint32_t> tokens) {
      met.emplace(tokens.begin(), tokens.end());
      return false;
    });
    RC_ASSERT(search.run(kForever) == Status::Exhausted);
    RC_ASSERT(met == *dead);
  }));
  EXPECT_GT(bounded, 0);
}

TEST(DeadlockSearch, KnowsWeightsAndTokens) {
  // Three tokens, taken in pairs: one is left. The place of the 1-safe net for the second token is not one of the
  // file's.
  const Net net = read_any_net("x.net", "pl a (3)\ntr t a*2 -> b\n");
  ASSERT_TRUE(net.weights() && net.weights()->unsafe);
  EXPECT_THROW(read_net("x.net", "pl a (3)\ntr t a*2 -> b\n"), InputError);
  DeadlockSearch search(weighted(net));
  EXPECT_EQ(search.run(kForever), Status::Found);
  EXPECT_EQ(search.path().size(), 1U);
  // More and more tokens.
  DeadlockSearch endless(weighted(read_any_net("x.net", "pl a (1)\ntr t a -> a b*2\n")), {}, {1000, 100000});
  EXPECT_EQ(endless.run(kForever), Status::GaveUp);
}

}  // namespace
}  // namespace mazurka::net

#include "stateful/graph.hpp"

#include <gtest/gtest.h>

#include "network/families.hpp"
#include "stateful/export.hpp"
#include "stateful/node_store.hpp"

namespace mazurka::stateful {
namespace {

TEST(BigNatural, AddsAndPrints) {
  BigNatural x;
  EXPECT_EQ(x.digits(), "0");
  x += UINT64_MAX;
  EXPECT_TRUE(x.fits());
  x += 1;
  EXPECT_FALSE(x.fits());
  EXPECT_EQ(x.digits(), "18446744073709551616");
  for (int i = 0; i < 64; ++i) x += BigNatural(x);
  EXPECT_EQ(x.digits(), "340282366920938463463374607431768211456");
  BigNatural y(999'999'999);
  y += 1;
  EXPECT_EQ(y.digits(), "1000000000");
}

// Sleep sets over four actions, in the order of insertion a, b, c, d. A smaller set subsumes a larger one, so each time
// the list of the state has only minimal ones: {a}, {a, b}, {c}, {d}.
//
//     a {0,1}   b {1,2}
//          \     /
//          c {1}
//            |
//          d {}
TEST(NodeStore, KeepsAnAntichainOfSleepSetsPerState) {
  NodeStore nodes(1, 1);
  const std::uint64_t state = 7;
  const std::uint64_t hash = nodes.hash(&state);
  const auto find = [&](Word sleep) { return nodes.find_subsuming(&state, hash, &sleep); };
  const auto add = [&](Word sleep) { return nodes.add(&state, hash, &sleep); };
  EXPECT_EQ(find(0b0011), kNoNode);
  const NodeId a = add(0b0011);
  EXPECT_EQ(find(0b0011), a);
  EXPECT_EQ(find(0b0111), a);
  EXPECT_EQ(find(0b0110), kNoNode);
  EXPECT_EQ(find(0b0001), kNoNode);
  const NodeId b = add(0b0110);
  EXPECT_EQ(find(0b1110), b);
  const NodeId c = add(0b0010);
  EXPECT_EQ(find(0b0011), c);
  EXPECT_EQ(find(0b0110), c);
  EXPECT_EQ(find(0b0000), kNoNode);
  const NodeId d = add(0);
  EXPECT_EQ(nodes.sleep(d), nullptr);
  EXPECT_EQ(find(0b0000), d);
  EXPECT_EQ(find(0b1111), d);
  EXPECT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes.distinct_states(), 1U);
}

// Two philosophers: small enough to read the exports.
TEST(Export, WritesTheLiveGraph) {
  const network::Network network = network::generate("dp", {{2}});
  const network::Product product(network);
  const LocalFacts facts(network);
  GraphExplorer explorer(product, facts, *find_algorithm("full+sleep"), {.keep_edges = true});
  explorer.run();
  const std::string aut = to_aut(explorer);
  const auto lines = static_cast<std::uint64_t>(std::count(aut.begin(), aut.end(), '\n'));
  EXPECT_EQ(aut.rfind("des (0, ", 0), 0U);
  EXPECT_EQ(lines, explorer.statistics().edges + 1);
  const std::string dot = to_dot(explorer);
  EXPECT_NE(dot.find("digraph \"dp_2\" {"), std::string::npos);
  EXPECT_NE(dot.find("doublecircle"), std::string::npos);
  EXPECT_NE(dot.find("label=\"phil0.acq_fork0/fork0.acq\""), std::string::npos);
}

TEST(GraphExplorer, StopsAtItsLimitAndSaysSo) {
  const network::Network network = network::generate("dp", {{8}});
  const network::Product product(network);
  const LocalFacts facts(network);
  GraphExplorer explorer(product, facts, *find_algorithm("full+sleep"), {.max_nodes = 100});
  explorer.run();
  EXPECT_FALSE(explorer.complete());
  EXPECT_GE(explorer.statistics().nodes(), 100U);
}

// A run to a deadlock replays to a state in which some client waits.
TEST(GraphExplorer, GivesARunToEachDeadlock) {
  const network::Network network = network::generate("locks", {{7, 4, 3}});
  const network::Product product(network);
  const LocalFacts facts(network);
  GraphExplorer explorer(product, facts, *find_algorithm("full+sleep"), {});
  explorer.run();
  ASSERT_FALSE(explorer.deadlocks().empty());
  for (NodeId n : explorer.deadlocks()) {
    auto state = product.initial();
    for (ActionId a : explorer.run_to(n)) ASSERT_TRUE(product.take(state.data(), a));
    EXPECT_TRUE(std::equal(state.begin(), state.end(), explorer.nodes().state(n)));
    EXPECT_FALSE(product.finished(state.data()));
    int enabled = 0;
    product.for_each_enabled(state.data(), [&](auto&&...) { ++enabled; });
    EXPECT_EQ(enabled, 0);
  }
}

}  // namespace
}  // namespace mazurka::stateful

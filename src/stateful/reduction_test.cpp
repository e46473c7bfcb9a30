// Every algorithm on random networks: verified by first sets, compared with brute force, and damaged on purpose.
#include <gtest/gtest.h>

#include "network/reachability.hpp"
#include "stateful/graph.hpp"
#include "stateful/verify.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::stateful {
namespace {

using network::Network;
using testing::NetworkSpec;
using testing::property;
using Status = Verification::Status;

constexpr FirstSetLimits kLimits{2'000, 500'000};

GraphExplorer explore(const network::Product& product, const LocalFacts& facts, const Algorithm& algorithm) {
  GraphExplorer explorer(product, facts, algorithm, {.keep_edges = true});
  explorer.run();
  return explorer;
}

std::set<std::vector<std::uint64_t>> deadlocks(const GraphExplorer& explorer) {
  std::set<std::vector<std::uint64_t>> result;
  const std::uint32_t words = explorer.product().layout().words();
  for (NodeId n : explorer.deadlocks()) result.emplace(explorer.nodes().state(n), explorer.nodes().state(n) + words);
  return result;
}

std::set<std::vector<std::uint64_t>> deadlocks(const network::Product& product) {
  network::Reachability all(product, {});
  all.run();
  std::set<std::vector<std::uint64_t>> result;
  for (network::StateId s : all.deadlocks()) result.emplace(all.state(s), all.state(s) + product.layout().words());
  return result;
}

TEST(Reduction, IsSoundAndCompleteOnRandomNetworks) {
  EXPECT_TRUE(property("all algorithms are verified and keep the deadlocks", 3000, [](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    const network::Product product(network);
    const LocalFacts facts(network);
    const FirstSets first_sets(product, kLimits);
    RC_PRE(first_sets.complete());
    RC_ASSERT(facts.triples_exact());
    const auto expected = deadlocks(product);
    for (const Algorithm& algorithm : algorithms()) {
      const GraphExplorer explorer = explore(product, facts, algorithm);
      RC_ASSERT(explorer.complete());
      const Verification verification = verify_reduction(explorer, first_sets);
      RC_TAG(std::string(algorithm.name));
      RC_LOG(verification.message);
      RC_ASSERT(verification.status == Status::Holds);
      RC_ASSERT(deadlocks(explorer) == expected);
      if (algorithm.test == stateful::Test::Ifs) {
        for (bool dead : dead_nodes(explorer, postorder(explorer))) RC_ASSERT(!dead);
      }
    }
  }));
}

/// The lexicographically smallest word of the trace class of `run`: repeatedly takes the least action that nothing
/// before it depends on.
std::vector<ActionId> normal_form(const Network& network, std::vector<ActionId> run) {
  std::vector<ActionId> result;
  while (!run.empty()) {
    auto best = run.end();
    for (auto i = run.begin(); i != run.end(); ++i) {
      const bool first = std::none_of(run.begin(), i, [&](ActionId b) { return network.dependent(*i, b); });
      if (first && (best == run.end() || *i < *best)) best = i;
    }
    result.push_back(*best);
    run.erase(best);
  }
  return result;
}

using Classes = std::set<std::vector<ActionId>>;

/// All full runs of the product, one representative of each class.
void all_classes(const network::Product& product, const std::vector<std::uint64_t>& state, std::vector<ActionId>& run,
                 Classes& classes, std::uint64_t& runs) {
  std::vector<ActionId> enabled;
  product.for_each_enabled(state.data(),
                           [&](const network::Transition& transition) { enabled.push_back(transition.action); });
  if (enabled.empty()) {
    ++runs;
    classes.insert(normal_form(product.network(), run));
  }
  for (ActionId a : enabled) {
    if (runs > 3'000) return;
    auto next = state;
    product.take(next.data(), a);
    run.push_back(a);
    all_classes(product, next, run, classes, runs);
    run.pop_back();
  }
}

/// All full runs of the reduced graph.
void graph_classes(const GraphExplorer& explorer, NodeId n, std::vector<ActionId>& run, Classes& classes,
                   std::uint64_t& runs) {
  const auto edges = explorer.edges(n);
  bool terminal = edges.empty();
  explorer.product().for_each_enabled(explorer.nodes().state(n), [&](auto&&...) { terminal = false; });
  if (terminal) {
    ++runs;
    classes.insert(normal_form(explorer.product().network(), run));
  }
  for (const GraphExplorer::Edge& edge : edges) {
    run.push_back(edge.action);
    graph_classes(explorer, edge.target, run, classes, runs);
    run.pop_back();
  }
}

TEST(Reduction, HasARunOfEveryClassOfTheSystemAndNoOther) {
  EXPECT_TRUE(property("classes of runs", 1500, [](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    const network::Product product(network);
    const LocalFacts facts(network);
    Classes expected;
    std::uint64_t interleavings = 0;
    std::vector<ActionId> run;
    all_classes(product, product.initial(), run, expected, interleavings);
    RC_PRE(interleavings <= 3'000);
    for (const Algorithm& algorithm : algorithms()) {
      const GraphExplorer explorer = explore(product, facts, algorithm);
      Classes found;
      std::uint64_t runs = 0;
      graph_classes(explorer, 0, run, found, runs);
      RC_TAG(std::string(algorithm.name));
      RC_ASSERT(found == expected);
      const PathCounts counted = count_paths(explorer, postorder(explorer));
      RC_ASSERT(counted.full == BigNatural(runs));
    }
  }));
}

/// How many random networks a damaged table shows on, of those where the undamaged one passes.
template <typename Damage>
int caught(const Algorithm& algorithm, Damage&& damage) {
  int found = 0;
  testing::property_exactly("a damaged reduction", 400, [&](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    const network::Product product(network);
    const FirstSets first_sets(product, kLimits);
    RC_PRE(first_sets.complete());
    LocalFacts facts(network);
    RC_ASSERT(verify_reduction(explore(product, facts, algorithm), first_sets).status == Status::Holds);
    damage(facts);
    if (verify_reduction(explore(product, facts, algorithm), first_sets).status == Status::Fails) ++found;
  });
  return found;
}

TEST(Verification, CatchesAClosureWithoutPredecessors) {
  EXPECT_GT(caught(*find_algorithm("minclosure+sleep"), [](LocalFacts& f) { f.forget_predecessors(); }), 10);
}

TEST(Verification, CatchesSleepSetsThatKeepDependentActions) {
  EXPECT_GT(caught(*find_algorithm("pset+sleep"), [](LocalFacts& f) { f.forget_dependence(); }), 10);
  EXPECT_GT(caught(*find_algorithm("full+sleep"), [](LocalFacts& f) { f.forget_dependence(); }), 10);
}

TEST(Verification, CatchesPifsThatFollowsNoPath) {
  EXPECT_GT(caught(*find_algorithm("apifs+sleep"), [](LocalFacts& f) { f.forget_triples(); }), 10);
  EXPECT_GT(caught(*find_algorithm("full-sleep"), [](LocalFacts& f) { f.forget_triples(); }), 10);
}

}  // namespace
}  // namespace mazurka::stateful

#include "support/oracle.hpp"

#include <array>

#include <gtest/gtest.h>

#include "network/executor.hpp"
#include "network/families.hpp"
#include "network/reachability.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::testing {
namespace {

using network::Network;
using network::NetworkExecutor;

OracleResult oracle_of(const char* family, unsigned size) {
  const std::array arguments{size};
  const Network network = network::generate(family, arguments);
  NetworkExecutor executor(network);
  return brute_force(executor, 2'000'000);
}

// K! orders of the readers under the common lock times 2 for each pair: 2^K * K! (Section B of the papers' tables).
TEST(Oracle, CountsTheClassesOfKnownModels) {
  EXPECT_EQ(oracle_of("mpat", 2).classes.size(), 8U);
  EXPECT_EQ(oracle_of("qo", 3).classes.size(), 8U);  // 2(n + 1)
  EXPECT_EQ(oracle_of("bg", 1).classes.size(), 4U);  // two free bits
  EXPECT_TRUE(oracle_of("dp", 2).deadlocks.empty());
}

TEST(Oracle, AgreesWithUnionFindOverSwaps) {
  int compared = 0;
  EXPECT_TRUE(property("classes by normal form = classes by swapping", 1'000, [&](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    NetworkExecutor executor(network);
    const OracleResult oracle = brute_force(executor, 5'000);
    if (!oracle.complete) return;
    ++compared;
    RC_ASSERT(oracle.classes.size() == classes_by_swapping(executor, 5'000));
  }));
  EXPECT_GE(compared, property_cases(1'000) * 9 / 10);
}

TEST(Oracle, FindsTheDeadlocksOfTheExplicitProduct) {
  EXPECT_TRUE(property("oracle deadlocks = reachable deadlocks", 1'000, [](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    NetworkExecutor executor(network);
    const OracleResult oracle = brute_force(executor, 5'000);
    if (!oracle.complete) return;
    network::Reachability search(executor.product(), {});
    search.run();
    std::set<std::vector<std::uint64_t>> deadlocks;
    for (network::StateId id : search.deadlocks())
      deadlocks.emplace(search.state(id), search.state(id) + executor.product().layout().words());
    RC_ASSERT(oracle.deadlocks == deadlocks);
  }));
}

}  // namespace
}  // namespace mazurka::testing

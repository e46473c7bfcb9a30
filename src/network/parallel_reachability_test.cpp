// Several explorers find what one finds: the same counts, and the same deadlocks with the same runs in the same order.
#include "network/parallel_reachability.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "network/families.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::network {
namespace {

void compare(const Network& network) {
  const Product product(network);
  Reachability one(product, {});
  one.run();
  std::vector<std::vector<ActionId>> runs;
  for (const StateId deadlock : one.deadlocks()) runs.push_back(one.run_to(deadlock));
  for (const std::uint32_t explorers : {1U, 2U, 3U, 8U}) {
    // In small batches, a state may be found from a later parent first.
    ParallelReachability several(product, {}, explorers, explorers == 1 ? ParallelReachability::kBatch : 4);
    several.run();
    EXPECT_TRUE(several.complete());
    EXPECT_EQ(several.states(), one.states());
    EXPECT_EQ(several.transitions(), one.transitions());
    ASSERT_EQ(several.deadlocks(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
      ASSERT_EQ(several.run_to_deadlock(i), runs[i]) << explorers << " explorers, deadlock " << i;
  }
}

TEST(ParallelReachability, FindsWhatOneExplorerFinds) {
  const auto compare_family = [](std::string_view family, std::vector<unsigned> arguments) {
    SCOPED_TRACE(family);
    compare(generate(family, arguments));
  };
  compare_family("bg", {2});
  compare_family("mpat", {4});
  compare_family("fs", {3});
  compare_family("pet", {4});
  compare_family("dp", {6});
  compare_family("dp2", {4});
  compare_family("disp", {4});
  compare_family("lz", {6});
  compare_family("qo", {5});
  compare_family("locks", {1, 4, 4});
  compare_family("locks", {7, 5, 5});
}

TEST(ParallelReachability, FindsWhatOneExplorerFindsInRandomNetworks) {
  EXPECT_TRUE(testing::property("explorers = one", 300, [&](const testing::NetworkSpec& spec) {
    compare(testing::to_network(spec));
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST(ParallelReachability, StopsAtALimit) {
  const std::vector<unsigned> arguments{5};
  const Network network = generate("mpat", arguments);
  const Product product(network);
  ParallelReachability search(product, {1000}, 3);
  search.run();
  EXPECT_FALSE(search.complete());
  EXPECT_GT(search.states(), 1000U);
}

TEST(ParallelReachability, PassesOnWhatIsThrown) {
  const std::vector<unsigned> arguments{5};
  const Network network = generate("mpat", arguments);
  const Product product(network);
  ParallelReachability search(product, {}, 3);
  unsigned calls = 0;
  EXPECT_THROW(search.run([&](const ReachabilityProgress&) {
    if (++calls == 5) throw std::bad_alloc();
  }),
               std::bad_alloc);
  EXPECT_FALSE(search.complete());
}

}  // namespace
}  // namespace mazurka::network

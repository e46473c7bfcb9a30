// The product net of a network has the network's states as markings, and its deadlocks.
#include "net/from_network.hpp"

#include <gtest/gtest.h>

#include "net/reachability.hpp"
#include "network/product.hpp"
#include "network/reachability.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::net {
namespace {

TEST(ProductNet, HasTheStatesOfTheNetwork) {
  EXPECT_TRUE(testing::property("product nets", 1000, [](const testing::NetworkSpec& spec) {
    const network::Network network = testing::to_network(spec);
    const network::Product product(network);
    network::Reachability states(product, {.max_states = 5000});
    states.run();
    if (!states.complete()) return;
    const ProductNet made = net_from_network(network);
    const ReachabilityGraph graph(made.net);
    RC_ASSERT(graph.complete());
    RC_ASSERT(graph.markings().size() == states.states());
    RC_ASSERT(graph.edges() == states.transitions());
    const Simulator simulator(made.net);
    std::size_t stuck = 0;
    for (std::uint32_t m = 0; m < graph.markings().size(); ++m) {
      const auto marking = graph.markings()[m];
      const bool unfinished =
          std::any_of(made.unfinished.begin(), made.unfinished.end(), [&](PlaceId p) { return holds(marking, p); });
      stuck += unfinished && simulator.deadlocked(marking);
    }
    RC_ASSERT(stuck == states.deadlocks().size());
  }));
}

}  // namespace
}  // namespace mazurka::net

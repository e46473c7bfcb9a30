// RapidCheck generator of small random networks: locks, variables, channels, branching clients. A property over
// networks is one line for an explorer:
//
//   rc::check("…", [](const NetworkSpec& spec) { const Network network = to_network(spec); … });
//
// The specification, not the network, is what RapidCheck shrinks: fewer clients, fewer edges, smaller numbers.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include <rapidcheck.h>

#include "network/network.hpp"

namespace mazurka::testing {

/// One edge of a client; the numbers are taken modulo what makes sense.
struct EdgeSpec {
  bool branches = false;  ///< starts where the edge before it started, else where that one ended
  bool joins = false;     ///< a branch that ends where the edge before it ended
  std::uint8_t server = 0;
  std::uint8_t operation = 0;
};

struct NetworkSpec {
  std::vector<std::uint8_t> servers;  ///< kinds: lock, variable of two or three values, channel
  std::vector<std::vector<EdgeSpec>> clients;
};

network::Network to_network(const NetworkSpec& spec);
/// The same, but some clients begin again at their end: the first, and all others with an odd number of edges.
network::Network to_cyclic_network(const NetworkSpec& spec);
std::ostream& operator<<(std::ostream& out, const NetworkSpec& spec);

/// At most `max_clients` clients with at most about `max_edges` edges in all.
rc::Gen<NetworkSpec> network_specs(int max_clients, int max_edges);

}  // namespace mazurka::testing

namespace rc {
template <>
struct Arbitrary<mazurka::testing::NetworkSpec> {
  static Gen<mazurka::testing::NetworkSpec> arbitrary() { return mazurka::testing::network_specs(4, 12); }
};
}  // namespace rc

// A network of automata as a product net: a place per location, and a transition per action and pair of local edges
// labelled with it. If an action leaves a component in its location, the location is read, not consumed, so that
// actions that only read a server stay concurrent. Implicit servers (of local actions) have no place.
#pragma once

#include <vector>

#include "net/net.hpp"
#include "network/network.hpp"

namespace mazurka::net {

struct ProductNet {
  Net net;
  /// Locations of clients that have edges: the network is deadlocked, rather than finished, if one of them is marked.
  std::vector<PlaceId> unfinished;
  /// The action of each transition.
  std::vector<network::ActionId> actions;
  /// The place of location l of component c is first_place[c] + l; none for implicit servers.
  std::vector<PlaceId> first_place;
};

ProductNet net_from_network(const network::Network& network);

}  // namespace mazurka::net

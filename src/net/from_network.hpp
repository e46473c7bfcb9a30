// A network of automata as a product net: a place per location, a transition per action and pair of local edges that
// carry it. A component that an action leaves where it is, is read, not consumed: actions that only look at a server
// stay concurrent. Implicit servers (of local actions) say nothing and get no place.
#pragma once

#include <vector>

#include "net/net.hpp"
#include "network/network.hpp"

namespace mazurka::net {

struct ProductNet {
  Net net;
  /// Locations of clients that have edges: a network is deadlocked, rather than finished, while one of them is marked.
  std::vector<PlaceId> unfinished;
  /// Of each transition, the action it stands for.
  std::vector<network::ActionId> actions;
  /// The place of location l of component c is first_place[c] + l; none for implicit servers.
  std::vector<PlaceId> first_place;
};

ProductNet net_from_network(const network::Network& network);

}  // namespace mazurka::net

#include "net/from_network.hpp"

#include <fmt/format.h>

namespace mazurka::net {
namespace {

using network::ActionId;
using network::ComponentId;
using network::kNoLocation;
using network::LocationId;

/// An edge of one component, labelled with an action.
struct LocalEdge {
  LocationId from;
  LocationId to;
};

std::vector<LocalEdge> edges_of(const network::Network& network, ComponentId component, ActionId action) {
  std::vector<LocalEdge> edges;
  for (LocationId l = 0; l < network.location_count(component); ++l)
    if (const LocationId to = network.successor(component, l, action); to != kNoLocation) edges.push_back({l, to});
  return edges;
}

class Builder {
 public:
  explicit Builder(const network::Network& network) : network_(network) {}

  ProductNet build() {
    for (ComponentId c = 0; c < network_.components().size(); ++c) add_component(c);
    for (ComponentId client : network_.clients()) note_unfinished(client);
    for (ActionId a = 0; a < network_.actions().size(); ++a) add_action(a);
    product_.net.finish();
    return std::move(product_);
  }

 private:
  void add_component(ComponentId c) {
    const network::Component& component = network_.component(c);
    product_.first_place.push_back(static_cast<PlaceId>(product_.net.places().size()));
    if (component.implicit) return;
    for (LocationId l = 0; l < network_.location_count(c); ++l)
      product_.net.add_place(fmt::format("{}.{}", component.name, component.locations[l].name),
                             l == network_.initial(c));
  }

  void note_unfinished(ComponentId client) {
    std::vector<bool> leaves(network_.location_count(client));
    for (const network::Edge& edge : network_.component(client).edges) leaves[edge.source] = true;
    for (LocationId l = 0; l < leaves.size(); ++l)
      if (leaves[l]) product_.unfinished.push_back(product_.first_place[client] + l);
  }

  void add_action(ActionId a) {
    const network::Action& action = network_.action(a);
    const std::vector<LocalEdge> client_edges = edges_of(network_, action.client, a);
    const std::vector<LocalEdge> server_edges = edges_of(network_, action.server, a);
    const bool single = client_edges.size() * server_edges.size() == 1;
    for (const LocalEdge& client : client_edges) {
      for (const LocalEdge& server : server_edges) {
        std::string name = network_.action_name(a);
        if (!single)
          name += fmt::format("[{},{}]", network_.component(action.client).locations[client.from].name,
                              network_.component(action.server).locations[server.from].name);
        const TransitionId t = product_.net.add_transition(std::move(name));
        product_.actions.push_back(a);
        move(action.client, client, t);
        if (!network_.component(action.server).implicit) move(action.server, server, t);
      }
    }
  }

  void move(ComponentId component, const LocalEdge& edge, TransitionId t) {
    const PlaceId first = product_.first_place[component];
    if (edge.from == edge.to) {
      product_.net.add_read(first + edge.from, t);
    } else {
      product_.net.add_input(first + edge.from, t);
      product_.net.add_output(t, first + edge.to);
    }
  }

  const network::Network& network_;
  ProductNet product_;
};

}  // namespace

ProductNet net_from_network(const network::Network& network) { return Builder(network).build(); }

}  // namespace mazurka::net

#include "network/product.hpp"

#include <algorithm>

namespace mazurka::network {

Product::Product(const Network& network) : network_(&network), layout_(network) {
  // Server tables have one column per action of the server, so that an offer needs no second lookup.
  std::vector<std::uint32_t> column(network.actions().size());
  std::vector<std::uint32_t> width(network.components().size());
  for (ComponentId server : network.servers()) {
    const auto actions = network.actions_of(server);
    const auto base = static_cast<std::uint32_t>(server_targets_.size());
    width[server] = static_cast<std::uint32_t>(actions.size());
    server_targets_.resize(base + std::size_t{network.location_count(server)} * actions.size());
    for (std::uint32_t i = 0; i < actions.size(); ++i) {
      column[actions[i]] = base + i;
      for (LocationId location = 0; location < network.location_count(server); ++location)
        server_targets_[base + i + std::size_t{location} * actions.size()] =
            network.successor(server, location, actions[i]);
    }
  }
  rows_.resize(network.components().size());
  for (ComponentId client : network.clients()) {
    rows_[client] = offers_begin_.size();
    for (LocationId location = 0; location < network.location_count(client); ++location) {
      offers_begin_.push_back(static_cast<std::uint32_t>(offers_.size()));
      for (ActionId action : network.actions_of(client)) {
        const LocationId target = network.successor(client, location, action);
        const ComponentId server = network.action(action).server;
        if (target != kNoLocation) offers_.push_back({action, target, server, column[action], width[server]});
      }
    }
  }
  offers_begin_.push_back(static_cast<std::uint32_t>(offers_.size()));
  for (ComponentId client : network.clients()) {
    clients_.push_back({layout_.field(client), static_cast<std::uint32_t>(rows_[client])});
    for (LocationId location = 0; location < network.location_count(client); ++location) add_meetings(client, location);
  }
  meetings_begin_.push_back(static_cast<std::uint32_t>(meetings_.size()));
  agreed_begin_.push_back(static_cast<std::uint32_t>(agreed_.size()));
}

void Product::add_meetings(ComponentId client, LocationId location) {
  meetings_begin_.push_back(static_cast<std::uint32_t>(meetings_.size()));
  std::vector<ComponentId> servers;
  for (const Offer& offer : offers(client, location))
    if (std::find(servers.begin(), servers.end(), offer.server) == servers.end()) servers.push_back(offer.server);
  for (ComponentId server : servers) {
    meetings_.push_back({layout_.field(server), static_cast<std::uint32_t>(agreed_begin_.size())});
    for (LocationId from = 0; from < network_->location_count(server); ++from) {
      agreed_begin_.push_back(static_cast<std::uint32_t>(agreed_.size()));
      for (const Offer& offer : offers(client, location)) {
        if (offer.server != server) continue;
        const LocationId to = server_targets_[offer.server_column + std::size_t{from} * offer.server_width];
        if (to != kNoLocation) agreed_.push_back(transition(client, location, offer, from, to));
      }
    }
  }
}

Transition Product::transition(ComponentId client, LocationId from, const Offer& offer, LocationId server_from,
                               LocationId server_to) const {
  const PackedField& own = layout_.field(client);
  const PackedField& other = layout_.field(offer.server);
  return {
      {std::uint64_t{from ^ offer.client_target} << own.shift, std::uint64_t{server_from ^ server_to} << other.shift},
      {own.word, other.word},
      offer.action};
}

std::vector<std::uint64_t> Product::initial() const {
  std::vector<std::uint64_t> state(layout_.words(), 0);
  for (ComponentId c = 0; c < network_->components().size(); ++c) layout_.set(state.data(), c, network_->initial(c));
  return state;
}

bool Product::take(std::uint64_t* state, ActionId action) const {
  const auto [client, client_event, server, server_event, position] = network_->action(action);
  const LocationId client_target = network_->successor(client, layout_.get(state, client), action);
  const LocationId server_target = network_->successor(server, layout_.get(state, server), action);
  if (client_target == kNoLocation || server_target == kNoLocation) return false;
  layout_.set(state, client, client_target);
  layout_.set(state, server, server_target);
  return true;
}

bool Product::finished(const std::uint64_t* state) const {
  const auto clients = network_->clients();
  return std::all_of(clients.begin(), clients.end(),
                     [&](ComponentId client) { return offers(client, layout_.get(state, client)).empty(); });
}

}  // namespace mazurka::network

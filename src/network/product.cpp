#include "network/product.hpp"

#include <algorithm>

namespace mazurka::network {

Product::Product(const Network& network) : network_(&network), layout_(network) {
  // Server tables: one column per action of the server, so that an offer needs no second look-up.
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
  for (std::size_t row = 0; row + 1 < offers_begin_.size(); ++row)
    add_meetings(std::span(offers_).subspan(offers_begin_[row], offers_begin_[row + 1] - offers_begin_[row]));
  meetings_begin_.push_back(static_cast<std::uint32_t>(meetings_.size()));
  agreed_begin_.push_back(static_cast<std::uint32_t>(agreed_.size()));
}

void Product::add_meetings(std::span<const Offer> offers) {
  meetings_begin_.push_back(static_cast<std::uint32_t>(meetings_.size()));
  std::vector<ComponentId> servers;
  for (const Offer& offer : offers)
    if (std::find(servers.begin(), servers.end(), offer.server) == servers.end()) servers.push_back(offer.server);
  for (ComponentId server : servers) {
    meetings_.push_back({server, static_cast<std::uint32_t>(agreed_begin_.size())});
    for (LocationId location = 0; location < network_->location_count(server); ++location) {
      agreed_begin_.push_back(static_cast<std::uint32_t>(agreed_.size()));
      for (const Offer& offer : offers) {
        if (offer.server != server) continue;
        const LocationId target = server_targets_[offer.server_column + std::size_t{location} * offer.server_width];
        if (target != kNoLocation) agreed_.push_back({static_cast<std::uint32_t>(&offer - offers_.data()), target});
      }
    }
  }
}

std::vector<std::uint64_t> Product::initial() const {
  std::vector<std::uint64_t> state(layout_.words(), 0);
  for (ComponentId c = 0; c < network_->components().size(); ++c) layout_.set(state.data(), c, network_->initial(c));
  return state;
}

bool Product::take(std::uint64_t* state, ActionId action) const {
  const auto [client, client_event, server, server_event, place] = network_->action(action);
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

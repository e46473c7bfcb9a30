#include "network/network.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "network/check.hpp"

namespace mazurka::network {

Network Network::build(Description description, Clients clients) {
  check_components(description);
  check_actions(description);
  infer_roles(description);
  if (clients == Clients::Acyclic) check_clients_acyclic(description);
  add_local_actions(description);

  Network network;
  network.description_ = std::move(description);
  for (ComponentId id = 0; id < network.components().size(); ++id) {
    const Component& component = network.component(id);
    (component.role == Role::Client ? network.clients_ : network.servers_).push_back(id);
    const auto initial = std::find_if(component.locations.begin(), component.locations.end(),
                                      [](const Location& location) { return location.initial; });
    network.initial_.push_back(static_cast<LocationId>(initial - component.locations.begin()));
  }
  network.index_actions();
  network.build_tables();
  return network;
}

void Network::index_actions() {
  actions_of_begin_.assign(components().size() + 1, 0);
  for (const Action& action : actions()) {
    ++actions_of_begin_[action.client + 1];
    ++actions_of_begin_[action.server + 1];
  }
  for (std::size_t c = 1; c < actions_of_begin_.size(); ++c) actions_of_begin_[c] += actions_of_begin_[c - 1];
  actions_of_.resize(2 * actions().size());
  auto next = actions_of_begin_;
  for (ActionId a = 0; a < actions().size(); ++a)
    for (ComponentId c : {action(a).client, action(a).server}) actions_of_[next[c]++] = a;
}

void Network::build_tables() {
  columns_.resize(actions().size());
  std::vector<std::uint32_t> column_of(events().size());
  for (ComponentId c = 0; c < components().size(); ++c) {
    std::vector<EventId> alphabet;
    for (const Edge& edge : component(c).edges) alphabet.push_back(edge.event);
    std::sort(alphabet.begin(), alphabet.end());
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
    for (std::uint32_t i = 0; i < alphabet.size(); ++i) column_of[alphabet[i]] = i;

    const auto width = static_cast<std::uint32_t>(alphabet.size());
    table_.push_back(successors_.size());
    width_.push_back(width);
    successors_.resize(successors_.size() + std::size_t{location_count(c)} * width, kNoLocation);
    for (const Edge& edge : component(c).edges)
      successors_[table_[c] + std::size_t{edge.source} * width + column_of[edge.event]] = edge.target;
    for (ActionId a : actions_of(c)) {
      if (action(a).client == c) columns_[a].client = column_of[action(a).client_event];
      if (action(a).server == c) columns_[a].server = column_of[action(a).server_event];
    }
  }
}

std::span<const ActionId> Network::actions_of(ComponentId component) const {
  return std::span(actions_of_)
      .subspan(actions_of_begin_[component], actions_of_begin_[component + 1] - actions_of_begin_[component]);
}

std::string Network::action_name(ActionId id) const {
  const Action& a = action(id);
  const std::string& client_event = events()[a.client_event];
  if (a.client_event == a.server_event || component(a.server).implicit)
    return fmt::format("{}.{}", component(a.client).name, client_event);
  return fmt::format("{}.{}/{}.{}", component(a.client).name, client_event, component(a.server).name,
                     events()[a.server_event]);
}

}  // namespace mazurka::network

#include "network/check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"

namespace mazurka::network {

void refuse(const Description& description, InputPosition position, std::string_view message) {
  throw InputError({description.file, position.line, position.column}, message);
}

std::vector<LocationId> find_cycle(const Component& component) {
  std::vector<std::vector<LocationId>> targets(component.locations.size());
  for (const Edge& edge : component.edges) targets[edge.source].push_back(edge.target);
  enum class Colour : std::uint8_t { White, Grey, Black };
  std::vector<Colour> colour(component.locations.size(), Colour::White);
  std::vector<std::pair<LocationId, std::size_t>> stack;  // a location and how many of its targets were followed
  for (LocationId root = 0; root < targets.size(); ++root) {
    if (colour[root] != Colour::White) continue;
    stack.assign(1, {root, 0});
    colour[root] = Colour::Grey;
    while (!stack.empty()) {
      auto& [location, followed] = stack.back();
      if (followed == targets[location].size()) {
        colour[location] = Colour::Black;
        stack.pop_back();
        continue;
      }
      const LocationId target = targets[location][followed++];
      if (colour[target] == Colour::White) {
        colour[target] = Colour::Grey;
        stack.emplace_back(target, 0);
      } else if (colour[target] == Colour::Grey) {
        std::vector<LocationId> cycle;
        auto entry = std::find_if(stack.begin(), stack.end(), [&](const auto& e) { return e.first == target; });
        for (; entry != stack.end(); ++entry) cycle.push_back(entry->first);
        cycle.push_back(target);
        return cycle;
      }
    }
  }
  return {};
}

void check_components(const Description& description) {
  for (const Component& component : description.components) {
    const auto initial = std::count_if(component.locations.begin(), component.locations.end(),
                                       [](const Location& location) { return location.initial; });
    if (initial != 1)
      refuse(description, component.position,
             fmt::format("process '{}' has {} initial locations; give exactly one of its locations the attribute "
                         "{{initial:}}",
                         component.name, initial));
    std::map<std::pair<LocationId, EventId>, const Edge*> seen;
    for (const Edge& edge : component.edges) {
      if (seen.emplace(std::pair{edge.source, edge.event}, &edge).second) continue;
      refuse(description, edge.position,
             fmt::format("process '{}' has two edges with event '{}' from location '{}'; components must be "
                         "deterministic, so rename one event and synchronise it separately",
                         component.name, description.events[edge.event], component.locations[edge.source].name));
    }
  }
}

void check_actions(const Description& description) {
  std::set<std::pair<ComponentId, EventId>> offered;
  for (ComponentId id = 0; id < description.components.size(); ++id)
    for (const Edge& edge : description.components[id].edges) offered.emplace(id, edge.event);
  std::set<std::tuple<ComponentId, EventId, ComponentId, EventId>> seen;
  for (const Action& action : description.actions) {
    for (const auto& [component, event] :
         {std::pair{action.client, action.client_event}, std::pair{action.server, action.server_event}}) {
      if (offered.contains({component, event})) continue;
      refuse(description, action.position,
             fmt::format("no edge of process '{}' has event '{}', so this synchronisation can never happen",
                         description.components[component].name, description.events[event]));
    }
    if (action.client == action.server)
      refuse(description, action.position,
             fmt::format("process '{}' is synchronised with itself; an action joins one client and one server",
                         description.components[action.client].name));
    if (!seen.emplace(action.client, action.client_event, action.server, action.server_event).second)
      refuse(description, action.position, "this synchronisation is declared twice");
  }
}

void check_clients_acyclic(const Description& description) {
  for (const Component& component : description.components) {
    if (component.role != Role::Client) continue;
    const auto cycle = find_cycle(component);
    if (cycle.empty()) continue;
    std::vector<std::string_view> names;
    for (LocationId location : cycle) names.push_back(component.locations[location].name);
    refuse(description, component.position,
           fmt::format("client '{}' has the cycle {}; clients must be acyclic: unroll the loop, make it a server, or "
                       "use what finds repeated states (check --cutoffs, states, unfold)",
                       component.name, fmt::join(names, " -> ")));
  }
}

void add_local_actions(Description& description) {
  std::set<std::pair<ComponentId, EventId>> synchronised;
  for (const Action& action : description.actions) {
    synchronised.emplace(action.client, action.client_event);
    synchronised.emplace(action.server, action.server_event);
  }
  const auto count = static_cast<ComponentId>(description.components.size());
  for (ComponentId id = 0; id < count; ++id) {
    std::map<EventId, InputPosition> local;  // the unsynchronised events of this component, in event order
    for (const Edge& edge : description.components[id].edges)
      if (!synchronised.contains({id, edge.event})) local.emplace(edge.event, edge.position);
    if (local.empty()) continue;
    const Component& component = description.components[id];
    if (component.role == Role::Server)
      refuse(description, local.begin()->second,
             fmt::format("event '{}' of server '{}' is not synchronised with any client; add a sync line, or move the "
                         "edge into a client",
                         description.events[local.begin()->first], component.name));
    Component server{component.name + ".local", Role::Server, {{"idle", "", true, {}}}, {}, component.position, true};
    const auto server_id = static_cast<ComponentId>(description.components.size());
    for (const auto& [event, position] : local) {
      server.edges.push_back({0, 0, event, position});
      description.actions.push_back({id, event, server_id, event, position});
    }
    description.components.push_back(std::move(server));
  }
}

}  // namespace mazurka::network

#include "network/modeller.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mazurka::network {

std::string read_event(unsigned value) { return fmt::format("read{}", value); }
std::string write_event(unsigned value) { return fmt::format("write{}", value); }

Modeller::Modeller(std::string name) {
  description_.file = name;
  description_.name = std::move(name);
}

ComponentId Modeller::component(const std::string& name, Role role) {
  Component component;
  component.name = name;
  component.role = role;
  description_.components.push_back(std::move(component));
  return static_cast<ComponentId>(description_.components.size() - 1);
}

ComponentId Modeller::server(const std::string& name) { return component(name, Role::Server); }
ComponentId Modeller::client(const std::string& name) { return component(name, Role::Client); }

EventId Modeller::event(const std::string& name) {
  if (const auto known = events_.find(name)) return *known;
  description_.events.push_back(name);
  return *events_.add(name);
}

LocationId Modeller::location(ComponentId component, const std::string& name) {
  auto& locations = description_.components[component].locations;
  locations.push_back({name, "", locations.empty(), {}});
  return static_cast<LocationId>(locations.size() - 1);
}

void Modeller::server_edge(ComponentId server, LocationId source, LocationId target, std::string_view name) {
  description_.components[server].edges.push_back({source, target, event(std::string(name)), {}});
}

ComponentId Modeller::lock(const std::string& name) {
  const ComponentId id = server(name);
  const LocationId free = location(id, "free");
  const LocationId held = location(id, "held");
  server_edge(id, free, held, "acq");
  server_edge(id, held, free, "rel");
  return id;
}

ComponentId Modeller::variable(const std::string& name, unsigned values, unsigned initial) {
  const ComponentId id = server(name);
  for (unsigned value = 0; value < values; ++value) location(id, fmt::format("v{}", value));
  for (Location& location : description_.components[id].locations) location.initial = false;
  description_.components[id].locations[initial].initial = true;
  for (unsigned value = 0; value < values; ++value) {
    server_edge(id, value, value, read_event(value));
    for (unsigned old = 0; old < values; ++old) server_edge(id, old, value, write_event(value));
  }
  return id;
}

void Modeller::step(ComponentId client, LocationId source, LocationId target, ComponentId server,
                    std::string_view operation) {
  const EventId client_event = event(fmt::format("{}_{}", operation, description_.components[server].name));
  description_.components[client].edges.push_back({source, target, client_event, {}});
  if (synchronised_.emplace(std::pair{client, client_event}, description_.actions.size()).second)
    description_.actions.push_back({client, client_event, server, event(std::string(operation)), {}});
}

LocationId Modeller::then(ComponentId client, LocationId source, ComponentId server, std::string_view operation) {
  const LocationId target = location(client, fmt::format("l{}", description_.components[client].locations.size()));
  step(client, source, target, server, operation);
  return target;
}

Network Modeller::build(ActionOrder order, Clients clients) {
  if (order == ActionOrder::ByServer)
    std::stable_sort(description_.actions.begin(), description_.actions.end(),
                     [](const Action& a, const Action& b) { return a.server < b.server; });
  // An operation that no client performs is left out, since there is nothing to synchronise it with.
  std::map<std::pair<ComponentId, EventId>, bool> used;
  for (const Action& action : description_.actions) used[{action.server, action.server_event}] = true;
  for (ComponentId id = 0; id < description_.components.size(); ++id) {
    Component& component = description_.components[id];
    if (component.role != Role::Server) continue;
    std::erase_if(component.edges, [&](const Edge& edge) { return !used.contains({id, edge.event}); });
  }
  return Network::build(std::move(description_), clients);
}

}  // namespace mazurka::network

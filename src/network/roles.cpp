// Infers which components are clients and which are servers, if the input does not say.
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "network/check.hpp"
#include "network/declarations.hpp"

namespace mazurka::network {
namespace {

Role opposite(Role role) { return role == Role::Client ? Role::Server : Role::Client; }

/// Propagates known roles along synchronisations until nothing changes.
void propagate(Description& description, std::deque<ComponentId> known) {
  std::vector<std::vector<std::uint32_t>> actions_of(description.components.size());
  for (std::uint32_t i = 0; i < description.actions.size(); ++i) {
    actions_of[description.actions[i].client].push_back(i);
    actions_of[description.actions[i].server].push_back(i);
  }
  while (!known.empty()) {
    const ComponentId id = known.front();
    known.pop_front();
    const Component& component = description.components[id];
    for (std::uint32_t i : actions_of[id]) {
      const Action& action = description.actions[i];
      const ComponentId other = action.client == id ? action.server : action.client;
      Component& partner = description.components[other];
      if (partner.role == Role::Unknown) {
        partner.role = opposite(component.role);
        known.push_back(other);
      } else if (partner.role == component.role) {
        refuse(description, action.position,
               fmt::format("'{}' and '{}' are both {}s, but a synchronisation joins one client and one server; set "
                           "their roles with process:NAME{{role:client}} or {{role:server}}",
                           component.name, partner.name, role_name(component.role)));
      }
    }
  }
}

}  // namespace

void infer_roles(Description& description) {
  std::deque<ComponentId> known;
  for (ComponentId id = 0; id < description.components.size(); ++id) {
    Component& component = description.components[id];
    if (component.role == Role::Unknown && !find_cycle(component).empty()) component.role = Role::Server;
    if (component.role != Role::Unknown) known.push_back(id);
  }
  propagate(description, std::move(known));
  std::vector<bool> synchronised(description.components.size(), false);
  for (const Action& action : description.actions) synchronised[action.client] = synchronised[action.server] = true;
  for (ComponentId id = 0; id < description.components.size(); ++id) {
    Component& component = description.components[id];
    if (component.role != Role::Unknown) continue;
    if (synchronised[id])
      refuse(description, component.position,
             fmt::format("nothing tells whether process '{}' is a client or a server; write process:{}{{role:client}} "
                         "or process:{}{{role:server}}",
                         component.name, component.name, component.name));
    component.role = Role::Client;  // it synchronises with nobody, so all its actions are local
  }
  for (Action& action : description.actions) {
    if (description.components[action.client].role == Role::Client) continue;
    std::swap(action.client, action.server);
    std::swap(action.client_event, action.server_event);
  }
}

}  // namespace mazurka::network

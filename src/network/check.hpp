// The conditions of Def. 1 and 2 on a description: deterministic components, one client and one server per action,
// acyclic clients; and the inference of roles that the input leaves open.
#pragma once

#include <string_view>

#include "network/network.hpp"

namespace mazurka::network {

[[noreturn]] void refuse(const Description& description, Place place, std::string_view message);

/// Sets every Role::Unknown. A cyclic component must be a server, and the two ends of an action have opposite roles;
/// throws InputError where that decides nothing or contradicts itself. Afterwards each action has its client first.
void infer_roles(Description& description);

/// Gives every client event without a synchronisation an action with an implicit server.
void add_local_actions(Description& description);

/// Throws InputError unless initial locations, determinism, synchronisations and acyclicity of clients are in order.
void check_components(const Description& description);
void check_actions(const Description& description);
void check_clients_acyclic(const Description& description);

/// A cycle of locations, first = last, or empty if there is none.
std::vector<LocationId> find_cycle(const Component& component);

}  // namespace mazurka::network

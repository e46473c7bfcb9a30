// Checks a description against Def. 1 and 2: deterministic components, one client and one server per action, acyclic
// clients. Infers the roles that the input leaves open.
#pragma once

#include <string_view>

#include "network/network.hpp"

namespace mazurka::network {

[[noreturn]] void refuse(const Description& description, InputPosition position, std::string_view message);

/// Sets every Role::Unknown. A cyclic component must be a server, and the two ends of an action have opposite roles.
/// Throws InputError if that leaves a role open or is contradictory. Afterwards each action has its client first.
void infer_roles(Description& description);

/// Gives every unsynchronised client event an action with an implicit server.
void add_local_actions(Description& description);

/// Throws InputError unless initial locations, determinism, synchronisations and acyclicity of clients are in order.
void check_components(const Description& description);
void check_actions(const Description& description);
void check_clients_acyclic(const Description& description);

/// A cycle of locations, first = last, or empty if there is none.
std::vector<LocationId> find_cycle(const Component& component);

}  // namespace mazurka::network

// The finite-state subset of TChecker's `.tck` language: system, event, process, location, edge, sync. Roles are given
// by the attribute `role` of a process, and may be omitted if they can be inferred. Whatever TChecker has beyond finite
// automata (clocks, integers, guards, invariants, weak synchronisation, …) is refused by name.
#pragma once

#include <string>
#include <string_view>

#include "network/network.hpp"

namespace mazurka::network {

/// Throws InputError with `file:line:column` if the text is not such a network.
Network read_tck(std::string_view text, const std::string& file, Clients clients = Clients::Acyclic);

/// Reading the result gives the same network; writing that again gives the same text.
std::string write_tck(const Network& network);

}  // namespace mazurka::network

// The finite-state subset of TChecker's `.tck` language: system, event, process, location, edge, sync. Roles are the
// attribute `role` of a process and may be left out where they can be inferred. What TChecker has beyond finite
// automata (clocks, integers, guards, invariants, weak synchronisation, …) is refused by name.
#pragma once

#include <string>
#include <string_view>

#include "network/network.hpp"

namespace mazurka::network {

/// Throws InputError with `file:line:column` where the text is not such a network.
Network read_tck(std::string_view text, const std::string& file, Clients clients = Clients::Acyclic);

/// Reading the result gives the same network; writing that again gives the same text.
std::string write_tck(const Network& network);

}  // namespace mazurka::network

// Reads PEP's low-level net format (`.ll_net`), with the block `RA` of read arcs.
//
// Three header lines, then blocks in a fixed order; a line that begins with two capitals starts a block. We keep the
// id, name and initial marking of places, and the id and name of transitions; layout, phantom transitions and texts are
// skipped. Unknown tags, small capacities and the terms of high-level nets are refused by name.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

/// Throws InputError with the line and column of the error.
Net read_ll_net(std::string_view file, std::string_view text);
/// Accepts nets that are obviously not 1-safe, too.
Net read_any_ll_net(std::string_view file, std::string_view text);

}  // namespace mazurka::net

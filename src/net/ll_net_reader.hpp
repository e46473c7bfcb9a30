// Reads PEP's low-level net format (`.ll_net`), with the block `RA` of read arcs.
//
// Three header lines, then blocks in a fixed order; a block starts where a line begins with two capitals. Of places we
// keep id, name and initial marking, of transitions id and name; layout, phantom transitions and texts are skipped.
// Tags that are not known, small capacities and the terms of high-level nets are refused by name.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

/// Throws InputError with line and column of what is wrong.
Net read_ll_net(std::string_view file, std::string_view text);
/// Also a net that is plainly not 1-safe.
Net read_any_ll_net(std::string_view file, std::string_view text);

}  // namespace mazurka::net

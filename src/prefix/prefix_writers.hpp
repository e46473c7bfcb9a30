// Writes a prefix as a net (so that every tool that reads nets can check it), as DOT, and as JSON with histories.
#pragma once

#include <string>

#include "net/net.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::prefix {

/// The occurrence net: condition c is place c, event e is transition e-1; names are the original ones plus the number.
/// Without `with_cutoffs`, omits events whose histories are all cutoffs.
net::Net occurrence_net(const Prefix& prefix, bool with_cutoffs = true);

std::string to_dot(const Prefix& prefix);
std::string to_json(const Prefix& prefix);

/// Per event: are all of its histories cutoffs?
std::vector<bool> cutoff_events(const Prefix& prefix);

}  // namespace mazurka::prefix

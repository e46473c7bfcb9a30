// Reads TINA's textual nets (`.net`): `tr`, `pl`, `net`, `lb` and `nt` lines, weights `p*2`, test arcs `p?1`. Whatever
// changes the meaning of a net beyond places and transitions (inhibitor and stopwatch arcs, priorities, time) is
// refused by name.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

/// Throws InputError with the line and column of the error.
Net read_tina(std::string_view file, std::string_view text);
/// Accepts nets that are obviously not 1-safe, too.
Net read_any_tina(std::string_view file, std::string_view text);

}  // namespace mazurka::net

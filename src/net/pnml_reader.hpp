// Reads place/transition nets in PNML (ISO/IEC 15909-2), pages included. A read arc is an arc with type `test` or
// `read`, as attribute or child element; other arc types and weights above 1 are refused by name.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

/// Throws InputError with line and column of what is wrong.
Net read_pnml(std::string_view file, std::string_view text);

}  // namespace mazurka::net

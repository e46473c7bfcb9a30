// Reads a net in any format we know; the format follows from the name of the file, and from its first characters where
// the name does not tell.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

Net read_net(std::string_view file, std::string_view text);
/// Also a net that is plainly not 1-safe: its weights say so.
Net read_any_net(std::string_view file, std::string_view text);

}  // namespace mazurka::net

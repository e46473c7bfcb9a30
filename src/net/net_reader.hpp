// Reads a net in any supported format. The file name determines the format; if it does not, the first characters do.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

Net read_net(std::string_view file, std::string_view text);
/// Accepts nets that are obviously not 1-safe, too: Net::weights() says so.
Net read_any_net(std::string_view file, std::string_view text);

}  // namespace mazurka::net

// Writes nets as text. The reader of each format reads the output back as the same net.
#pragma once

#include <string>

#include "net/net.hpp"

namespace mazurka::net {

std::string to_ll_net(const Net& net);
std::string to_pnml(const Net& net);
std::string to_dot(const Net& net);

/// A text between double quotes for DOT and JSON-like outputs: quotes and backslashes escaped.
std::string dot_quoted(const std::string& text);

}  // namespace mazurka::net

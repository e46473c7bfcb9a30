// What a file is by its name and its first bytes, for messages that say what is expected instead.
#pragma once

#include <string>

namespace mazurka::cli {

/// Throws InputError unless the file may be a source, a program or a network, or, for a network (`-` is one), exists.
void require_system(const std::string& file);
/// The same for a network, and for a net or a network.
void require_network(const std::string& file);
void require_net(const std::string& file);

}  // namespace mazurka::cli

// Writes that may find that nobody reads any more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/messages/descriptors.hpp"

namespace mazurka::runtime {

/// write, and send with flags: SIGPIPE is raised unless MSG_NOSIGNAL is among them. Sets errno.
long send_bytes(int file, const void* from, std::size_t bytes, int flags, std::uint64_t site);

}  // namespace mazurka::runtime

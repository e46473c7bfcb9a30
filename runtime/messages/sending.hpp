// Writes that may find that nobody reads any more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/messages/descriptor_calls.hpp"

namespace mazurka::runtime {

/// write_channel() that raises SIGPIPE if `signals` says so, and sets errno.
long write_or_signal(int file, const void* from, std::size_t bytes, Manner manner, bool signals, std::uint64_t site);

}  // namespace mazurka::runtime

// Writes that may find no reader.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/messages/descriptor_calls.hpp"

namespace mazurka::runtime {

/// write_channel() that sets errno, and raises SIGPIPE if `signals`.
long write_or_signal(int file, const void* from, std::size_t bytes, Manner manner, bool signals, std::uint64_t site);

}  // namespace mazurka::runtime

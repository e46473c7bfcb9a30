// Sends the program's output to the explorer without system calls, unless settings.pass_output is set.
#pragma once

#include <cstddef>

#include "runtime/hooks/buffers.hpp"

namespace mazurka::runtime {

/// Redirects stdout and stderr before the program's constructors run.
void capture_output();
/// The same in a running program: drops what the streams have buffered, and makes them unbuffered.
void capture_streams();
/// write()
long write_bytes(int file, const void* text, std::size_t bytes, const Caller& caller);

}  // namespace mazurka::runtime

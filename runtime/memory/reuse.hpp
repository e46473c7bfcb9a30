// Freed memory is used again where a program runs without an explorer: a test program may run for long. Blocks of one
// size class, a multiple of sixteen bytes or a power of two, are kept in a list.
#pragma once

#include <cstddef>

#include "runtime/memory/heap_blocks.hpp"

namespace mazurka::runtime {

/// How many bytes a block for so many must have, so that it can be used again for others of its class.
std::size_t class_bytes(std::size_t bytes);
/// A block of that class that was freed, zeroed; null if there is none.
void* take_freed(std::size_t bytes);
/// Keeps a freed block, if it was allocated as one of a class.
void keep_freed(Header& header);
/// Says that a block has as many bytes as its class.
void mark_class(Header& header);

}  // namespace mazurka::runtime

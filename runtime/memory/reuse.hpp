// Reuse of freed memory in a program that runs without an explorer: a test program may run for a long time. There is
// one free list per size class; classes are multiples of sixteen bytes and powers of two.
#pragma once

#include <cstddef>

#include "runtime/memory/heap_blocks.hpp"

namespace mazurka::runtime {

/// The size of the class that a request belongs to.
std::size_t class_bytes(std::size_t bytes);
/// Returns a freed block of that class, zeroed; null if there is none.
void* take_freed(std::size_t bytes);
/// Puts a freed block on its list, if it was allocated with the size of a class (mark_class()).
void keep_freed(Header& header);
/// Records that the block is as large as its class.
void mark_class(Header& header);

}  // namespace mazurka::runtime

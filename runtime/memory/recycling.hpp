// A heap for stateful exploration, where states must recur: with keeps_states (states/), each thread reuses the memory
// it freed. Addresses still depend only on what their own thread did, and a loop that allocates and frees in each round
// gets the same addresses again. Blocks are zeroed when freed and when handed out.
//
// There is one free list per size, in units of sixteen bytes, and one for all larger blocks. The list heads are at the
// bottom of the thread's heap, and the links are in the freed blocks: both are part of the state.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/heap_blocks.hpp"

namespace mazurka::runtime {

/// Returns a zeroed free block that fits; the caller fills in its header. Null if there is none.
void* take_recycled(std::size_t bytes, std::size_t alignment);

/// Puts a block that the running thread frees on its free list.
void recycle(Header& header);

}  // namespace mazurka::runtime

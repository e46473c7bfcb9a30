// A heap in which states come back: where states are asked for (states/), freed memory is used again, by the thread
// that freed it. So addresses still depend on what their thread did itself, and a loop that allocates and frees in each
// round comes to the same addresses again. What is freed is zeroed, and so is what is handed out.
//
// Blocks of the same size, in units of sixteen bytes, form a list; larger ones share one. The lists lie at the bottom
// of the heap of their thread, and a block on a list holds the address of the next: all of it is part of the state.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/heap_blocks.hpp"

namespace mazurka::runtime {

/// A freed block that fits, zeroed, with a header that is to be filled in. Null if there is none.
void* take_recycled(std::size_t bytes, std::size_t alignment);

/// Keeps a block that the running thread frees.
void recycle(Header& header);

}  // namespace mazurka::runtime

// A heap in which states come back: where states are asked for (states/), freed memory is used again, by the thread
// that freed it. So addresses still depend on what their thread did itself, and a loop that allocates and frees in each
// round comes to the same addresses again. What is freed is zeroed, and so is what is handed out.
//
// Blocks of the same size, in units of sixteen bytes, form a list; larger ones share one. The lists lie at the bottom
// of the heap of their thread, and a block on a list holds the address of the next: all of it is part of the state.
//
// A block that another thread allocated goes back to that one, its *owner*, by way of a mutex that both use: whoever
// freed it and has not used it again leaves it in the mutex when it unlocks, and the owner finds it there when it
// locks. Otherwise a queue whose consumer frees what the producer allocates would come to new addresses for ever. It is
// sound since all operations on a mutex that change it depend on each other: what a mutex holds is written by these
// only, and an address still follows from what happened before.
//
// A mutex knows its users, the threads that have locked it since they first allocated: a block is not left where its
// owner never looks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/heap_blocks.hpp"

namespace mazurka::runtime {

/// What a mutex keeps for its users. All zero: nothing.
struct ReturnedBlocks {
  std::uint64_t users;  ///< bit i: a thread whose index is i modulo 64
  std::uint64_t first;  ///< address of a block that its owner has not taken yet, 0 if there is none
};

/// Makes room for the lists at the bottom of the heap of the running thread, if nothing is there yet.
void begin_recycling();

/// A freed block that fits, zeroed, with a header that is to be filled in. Null if there is none.
void* take_recycled(std::size_t bytes, std::size_t alignment);

/// Keeps a block that the running thread frees.
void recycle(Header& header);

/// The running thread has locked a mutex: takes what is left there for it.
void take_returned(ReturnedBlocks& left);
/// It unlocks the mutex: leaves what belongs to other users.
void return_freed(ReturnedBlocks& left);
/// It destroys the mutex: takes all.
void take_all_returned(ReturnedBlocks& left);

}  // namespace mazurka::runtime

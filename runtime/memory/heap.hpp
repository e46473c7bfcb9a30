// The heap: each thread allocates from a region of its own by counting up, and nothing is used twice within an
// execution. So an address depends on what the thread itself did before and on nothing else, and two independent steps
// that allocate still commute; and memory that was freed can be told for the rest of the execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// Memory of the running thread for the runtime itself; null where there is none left.
void* allocate(std::size_t bytes, std::size_t alignment = 16);
/// For the program, which asks for it at the code address `place`.
void* allocate_at(std::size_t bytes, std::size_t alignment, const void* place);
/// Frees a block of the program. Ends the execution where there is none to be freed.
void release_block(void* block, const void* place, const void* frame);
/// The same in two parts: the step, where freeing is one; and what it does.
void announce_release(void* block, const void* place, const void* frame);
void release_announced(void* block, const void* place, const void* frame);
/// For munmap, which may be asked to give back what is not there any more.
void release_pages(std::uint64_t begin, std::uint64_t bytes, const void* place, std::uint64_t site);
/// Gives back what a thread allocated above `top`, zeroed.
void shrink_heap(std::uint32_t index, std::uint8_t* top);
/// From now on there are threads; before, everything comes from the heap that the snapshot covers.
void leave_boot_heap();
/// And for a while everything comes from it again: what the C library allocates for donors that are added later must
/// neither move the program's own blocks nor go with them.
void return_to_boot_heap();
std::uint64_t boot_heap_bottom();
std::uint64_t boot_heap_top();

struct Block {
  std::uint64_t address;  ///< 0: none
  std::uint64_t bytes;
  std::uint32_t process;
  std::uint32_t site;  ///< where it was allocated
};

/// The block in which `address` lies, or the one below it in the same heap.
Block block_near(std::uint64_t address);
/// Whether an address of a heap lies above everything that was allocated there.
bool beyond_heap(std::uint64_t address);

/// Blocks of this execution that are neither freed nor reachable: how many, and the first of them.
std::uint32_t find_leaks(Block& first);

}  // namespace mazurka::runtime

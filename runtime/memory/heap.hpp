// The heap. Each thread has its own bump allocator, and no address is reused within an execution. So an address depends
// only on what its own thread did before: steps that allocate still commute. And freed memory stays recognisable for
// the rest of the execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// Allocates memory for the runtime itself from the running thread's heap; null if it is exhausted.
void* allocate(std::size_t bytes, std::size_t alignment = 16);
/// Allocates the first block of the running thread's heap.
void allocate_first(std::size_t bytes);
/// Allocates for the program; `place` is the return address of the call.
void* allocate_at(std::size_t bytes, std::size_t alignment, const void* place);
/// Frees a block of the program. Fails the execution if `block` is not a live block.
void release_block(void* block, const void* place, const void* frame);
/// release_block() in two parts: the scheduling point, if frees are scheduling points; and the effect.
void announce_release(void* block, const void* place, const void* frame);
void release_announced(void* block, const void* place, const void* frame);
/// For munmap: marks pages as freed. Pages that are freed already are skipped.
void release_pages(std::uint64_t begin, std::uint64_t bytes, const void* place, std::uint64_t site);
/// Frees everything that a thread allocated above `top`, and zeroes it.
void shrink_heap(std::uint32_t index, std::uint8_t* top);
/// From now on threads allocate from their own heaps. Before that, everything comes from the boot heap, which the
/// snapshot covers.
void leave_boot_heap();
/// Uses the boot heap again for a while: what the C library allocates for a new donor must neither shift the addresses
/// of the program's blocks nor disappear with them.
void return_to_boot_heap();
std::uint64_t boot_heap_bottom();
std::uint64_t boot_heap_top();

struct Block {
  std::uint64_t address;  ///< 0: no block
  std::uint64_t bytes;
  std::uint32_t process;
  std::uint32_t site;  ///< site of the allocation
};

/// The block that contains `address`, or else the one below it in the same heap.
Block block_near(std::uint64_t address);
/// Whether a heap address lies above everything allocated there so far.
bool beyond_heap(std::uint64_t address);

/// Returns the number of blocks of this execution that are neither freed nor reachable, and the first of them.
std::uint32_t find_leaks(Block& first);

}  // namespace mazurka::runtime

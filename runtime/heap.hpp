// The heap: each thread allocates from a region of its own by counting up, and nothing is used twice within an
// execution. So an address depends on what the thread itself did before and on nothing else, and two independent steps
// that allocate still commute.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka::runtime {

/// Memory of the running thread; ends the execution where there is none left.
void* allocate(std::size_t bytes, std::size_t alignment = 16);
/// Whole pages, zeroed, for mmap.
void* allocate_pages(std::size_t bytes);
/// Gives back what a thread allocated in the last execution, zeroed.
void reset_heap(std::uint32_t index);
/// From now on there are threads; before, everything comes from the heap that the snapshot covers.
void leave_boot_heap();
std::uint64_t boot_heap_bottom();
std::uint64_t boot_heap_top();

}  // namespace mazurka::runtime

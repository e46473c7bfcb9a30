// The layout of blocks in a heap.
#pragma once

#include <cstdint>

#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Precedes every block.
struct Header {
  std::uint64_t bytes;
  std::uint32_t state;
  std::uint32_t site;  ///< site of the allocation, 0 if outside of the program
};
static_assert(sizeof(Header) == 16);

inline constexpr std::uint32_t kLive = 0x4c495645;
inline constexpr std::uint32_t kFreed = 0x46524545;
inline constexpr std::uint32_t kOwn = 0x4f574e45;      // belongs to the runtime
inline constexpr std::uint32_t kFiller = 0x46494c4c;   // alignment above 16: the real header is `bytes` further
inline constexpr std::uint32_t kReached = 0x52454143;  // only while find_leaks() runs

inline Header* header_of(void* block) { return static_cast<Header*>(block) - 1; }

/// Calls `visit(header)` for each block of the heap of thread `index`, in order, until it returns true.
template <class Visit>
void for_each_block(std::uint32_t index, Visit&& visit) {
  std::uint64_t place = heap_bottom(index);
  const auto top = reinterpret_cast<std::uint64_t>(threads.all[index].heap_top);
  while (place + sizeof(Header) <= top) {
    auto* header = reinterpret_cast<Header*>(place);
    if (header->state == kFiller) {
      place += header->bytes;
      continue;
    }
    if (visit(*header)) return;
    const std::uint64_t bytes = header->bytes == 0 ? 1 : header->bytes;
    place = (place + sizeof(Header) + bytes + 15) & ~15ULL;
  }
}

}  // namespace mazurka::runtime

// Leaks: blocks that are neither freed nor reachable when all threads have ended, as in other leak checkers.
//
// A pointer to a block of this execution can only be in memory that was written during it: in hot pages and in other
// blocks. So these are scanned conservatively, word by word: whatever looks like an address inside a block keeps it
// alive. The stacks and the thread-local storage of ended threads are not roots.
#include "runtime/detector/shadow.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/heap_blocks.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {
namespace {

Header* containing(std::uint64_t address) {
  if (address < kArena || address >= slot_base(kBootSlot) || offset_in_slot(address) < kHeapOffset) return nullptr;
  const std::uint32_t index = slot_of(address);
  if (index >= scheduling.thread_end || address >= reinterpret_cast<std::uint64_t>(threads.all[index].heap_top))
    return nullptr;
  Header* found = nullptr;
  for_each_block(index, [&](Header& header) {
    const auto block = reinterpret_cast<std::uint64_t>(&header + 1);
    if (block > address) return true;
    // One past the end counts too: programs keep end pointers of ranges.
    if (address <= block + header.bytes) found = &header;
    return false;
  });
  return found;
}

bool search(std::uint64_t begin, std::uint64_t end) {
  bool any = false;
  for (std::uint64_t place = (begin + 7) & ~7ULL; place + 8 <= end; place += 8) {
    Header* header = containing(*reinterpret_cast<const std::uint64_t*>(place));
    if (header == nullptr || header->state != kLive) continue;
    header->state = kReached;
    any = true;
  }
  return any;
}

bool is_root(std::uint64_t page) { return page < kArena || page >= slot_base(kBootSlot); }

}  // namespace

std::uint32_t find_leaks(Block& first) {
  for (std::uint32_t i = 0; i < hot_pages(); ++i)
    if (const std::uint64_t page = hot_page(i).address; is_root(page)) search(page, page + kPage);
  constexpr std::uint32_t kSearched = kReached + 1;
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
      for_each_block(i, [&](Header& header) {
        if (header.state != kReached && header.state != kOwn) return false;
        const auto block = reinterpret_cast<std::uint64_t>(&header + 1);
        if (search(block, block + header.bytes)) again = true;
        if (header.state == kReached) header.state = kSearched;
        return false;
      });
  }
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    for_each_block(i, [&](Header& header) {
      if (header.state == kLive && count++ == 0)
        first = {reinterpret_cast<std::uint64_t>(&header + 1), header.bytes, i, header.site};
      return false;
    });
  return count;
}

}  // namespace mazurka::runtime

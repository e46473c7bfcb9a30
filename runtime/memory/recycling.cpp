#include "runtime/memory/recycling.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kUnit = 16;
constexpr std::size_t kListed = 64;  // in units: larger blocks share one list

/// The first word of a freed block.
struct FreedBlock {
  FreedBlock* next;
};
struct FreedLists {
  FreedBlock* of[kListed + 1];
};

std::size_t units(std::size_t bytes) { return bytes == 0 ? 1 : (bytes + kUnit - 1) / kUnit; }

/// The list heads, in the first block of the running thread's heap. Null if there is no memory for them.
FreedLists* own_lists() {
  const Thread& thread = self();
  const std::uint64_t bottom = heap_bottom(thread.index);
  if (reinterpret_cast<std::uint64_t>(thread.heap_top) == bottom && allocate(sizeof(FreedLists)) == nullptr)
    return nullptr;
  return reinterpret_cast<FreedLists*>(((bottom + kUnit - 1) & ~(kUnit - 1)) + sizeof(Header));
}

FreedBlock*& list_for(FreedLists& lists, std::size_t count) { return lists.of[count < kListed ? count : kListed]; }

bool is_recyclable(std::uint64_t address) { return address >= kArena && address < slot_base(kBootSlot); }

}  // namespace

void* take_recycled(std::size_t bytes, std::size_t alignment) {
  FreedLists* lists = own_lists();
  if (lists == nullptr) return nullptr;
  for (FreedBlock** link = &list_for(*lists, units(bytes)); *link != nullptr; link = &(*link)->next) {
    FreedBlock* const block = *link;
    const bool fits = units(header_of(block)->bytes) == units(bytes) &&
                      (reinterpret_cast<std::uint64_t>(block) & (alignment - 1)) == 0;
    if (!fits) continue;
    *link = block->next;
    zero_bytes(block, units(bytes) * kUnit);
    return block;
  }
  return nullptr;
}

void recycle(Header& header) {
  auto* const block = reinterpret_cast<FreedBlock*>(&header + 1);
  if (!is_recyclable(reinterpret_cast<std::uint64_t>(block))) return;
  zero_bytes(block, units(header.bytes) * kUnit);
  header.site = 0;
  header.bytes = units(header.bytes) * kUnit;
  FreedLists* lists = own_lists();
  if (lists == nullptr) return;
  FreedBlock*& list = list_for(*lists, units(header.bytes));
  block->next = list;
  list = block;
}

}  // namespace mazurka::runtime

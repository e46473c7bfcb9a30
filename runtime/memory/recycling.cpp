#include "runtime/memory/recycling.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kUnit = 16;
constexpr std::size_t kListed = 64;  // units: beyond that blocks of all sizes are in one list

/// What a freed block begins with.
struct FreedBlock {
  FreedBlock* next;
  const ReturnedBlocks* left_in;  ///< null: on a list of a thread
};
static_assert(sizeof(FreedBlock) <= kUnit);
struct FreedLists {
  FreedBlock* of[kListed + 1];
  std::uint64_t foreign;  ///< how many of the blocks belong to other threads
};

std::size_t units(std::size_t bytes) { return bytes == 0 ? 1 : (bytes + kUnit - 1) / kUnit; }

bool has_lists(const Thread& thread) {
  return reinterpret_cast<std::uint64_t>(thread.heap_top) != heap_bottom(thread.index);
}

/// The first block of the heap of the running thread. Null if there is no memory for it.
FreedLists* own_lists() {
  begin_recycling();
  const Thread& thread = self();
  if (!has_lists(thread)) return nullptr;
  return reinterpret_cast<FreedLists*>(((heap_bottom(thread.index) + kUnit - 1) & ~(kUnit - 1)) + sizeof(Header));
}

FreedBlock*& list_for(FreedLists& lists, std::size_t count) { return lists.of[count < kListed ? count : kListed]; }

bool is_recyclable(std::uint64_t address) { return address >= kArena && address < slot_base(kBootSlot); }

std::uint32_t owner_of(const FreedBlock* block) { return slot_of(reinterpret_cast<std::uint64_t>(block)); }
bool is_foreign(const FreedBlock* block) { return owner_of(block) != self().index; }
std::uint64_t user_bit(std::uint32_t index) { return std::uint64_t{1} << (index % 64); }

/// Lists are ordered by address, so that a state depends on what is free and not on when it became so.
void insert(FreedBlock** list, FreedBlock* block, const ReturnedBlocks* left_in) {
  while (*list != nullptr && *list < block) list = &(*list)->next;
  block->next = *list;
  block->left_in = left_in;
  *list = block;
}

void put(FreedLists& lists, FreedBlock* block) {
  insert(&list_for(lists, units(header_of(block)->bytes)), block, nullptr);
  lists.foreign += is_foreign(block) ? 1 : 0;
}

/// Whether a mutex holds this block. It does not if the program never initialised the mutex, or copied it from another.
bool is_left_in(const ReturnedBlocks& left, FreedBlock* block) {
  const auto address = reinterpret_cast<std::uint64_t>(block);
  if (!is_recyclable(address) || address % kUnit != 0 || slot_of(address) >= scheduling.thread_end) return false;
  const std::uint32_t owner = slot_of(address);
  return address > heap_bottom(owner) && address < reinterpret_cast<std::uint64_t>(threads.all[owner].heap_top) &&
         header_of(block)->state == kFreed && block->left_in == &left;
}

/// Moves what is left in a mutex, all of it or what belongs to the running thread, to its lists.
void take_from(ReturnedBlocks& left, bool all) {
  FreedLists* lists = own_lists();
  if (lists == nullptr) return;
  auto* block = reinterpret_cast<FreedBlock*>(left.first);
  FreedBlock** others = reinterpret_cast<FreedBlock**>(&left.first);
  while (is_left_in(left, block)) {
    FreedBlock* const next = block->next;
    if (all || !is_foreign(block)) {
      put(*lists, block);
    } else {
      *others = block;
      others = &block->next;
    }
    block = next;
  }
  *others = nullptr;
}

}  // namespace

void begin_recycling() {
  if (!has_lists(self())) allocate_first(sizeof(FreedLists));
}

void* take_recycled(std::size_t bytes, std::size_t alignment) {
  FreedLists* lists = own_lists();
  if (lists == nullptr) return nullptr;
  for (FreedBlock** link = &list_for(*lists, units(bytes)); *link != nullptr; link = &(*link)->next) {
    FreedBlock* const block = *link;
    const bool fits = units(header_of(block)->bytes) == units(bytes) &&
                      (reinterpret_cast<std::uint64_t>(block) & (alignment - 1)) == 0;
    if (!fits) continue;
    *link = block->next;
    lists->foreign -= is_foreign(block) ? 1 : 0;
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
  if (FreedLists* lists = own_lists(); lists != nullptr) put(*lists, block);
}

void take_returned(ReturnedBlocks& left) {
  const Thread& thread = self();
  if (!has_lists(thread)) return;
  left.users |= user_bit(thread.index);
  if (left.first != 0) take_from(left, false);
}

void return_freed(ReturnedBlocks& left) {
  if (!has_lists(self())) return;
  if (!is_left_in(left, reinterpret_cast<FreedBlock*>(left.first))) left.first = 0;
  FreedLists* lists = own_lists();
  for (std::size_t i = 0; i <= kListed && lists->foreign != 0; ++i)
    for (FreedBlock** link = &lists->of[i]; *link != nullptr;) {
      FreedBlock* const block = *link;
      if (!is_foreign(block) || (left.users & user_bit(owner_of(block))) == 0) {
        link = &block->next;
        continue;
      }
      *link = block->next;
      --lists->foreign;
      insert(reinterpret_cast<FreedBlock**>(&left.first), block, &left);
    }
}

void take_all_returned(ReturnedBlocks& left) {
  if (left.first != 0) take_from(left, true);
  left = {};
}

}  // namespace mazurka::runtime

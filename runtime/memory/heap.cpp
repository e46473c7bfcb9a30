#include "runtime/memory/heap.hpp"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/findings.hpp"
#include "runtime/detector/pages.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/memory/heap_blocks.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/recycling.hpp"
#include "runtime/memory/reuse.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint64_t kBootBytes = 1U << 30;

// The boot heap is used before any constructor has run, so the first allocation sets it up.
std::uint8_t* boot_top;
bool booted;

std::uint8_t* take_bytes(std::size_t bytes, std::size_t alignment) {
  if (!booted) {
    if (boot_top == nullptr) {
      if (!try_map(slot_base(kBootSlot), kBootBytes)) return nullptr;
      boot_top = reinterpret_cast<std::uint8_t*>(slot_base(kBootSlot));
    }
    const auto start = (reinterpret_cast<std::uint64_t>(boot_top) + alignment - 1) & ~(alignment - 1);
    if (start + bytes > slot_base(kBootSlot) + kBootBytes) return nullptr;
    boot_top = reinterpret_cast<std::uint8_t*>(start + bytes);
    return reinterpret_cast<std::uint8_t*>(start);
  }
  if (bytes > kLargeSlot) return nullptr;
  Thread& thread = self();
  // All of a block is part of the state, also the rest of its last sixteen bytes: a freed block holds something there.
  if (scheduling.keeps_states) [[unlikely]]
    bytes = (bytes + 15) & ~std::size_t{15};
  const auto start = (reinterpret_cast<std::uint64_t>(thread.heap_top) + alignment - 1) & ~(alignment - 1);
  if (start + bytes > heap_end(thread.index)) return nullptr;
  thread.heap_top = reinterpret_cast<std::uint8_t*>(start + bytes);
  return reinterpret_cast<std::uint8_t*>(start);
}

std::uint8_t* take_block(std::size_t bytes, std::size_t alignment, std::uint32_t state, std::uint32_t site) {
  if (alignment < 16) alignment = 16;
  std::uint8_t* start = take_bytes(sizeof(Header), 16);
  if (start == nullptr) return nullptr;
  std::uint8_t* block = take_bytes(bytes == 0 ? 1 : bytes, alignment);
  if (block == nullptr) return nullptr;
  Header* header = header_of(block);
  if (reinterpret_cast<std::uint8_t*>(header) != start)
    *reinterpret_cast<Header*>(start) = {static_cast<std::uint64_t>(reinterpret_cast<std::uint8_t*>(header) - start),
                                         kFiller, 0};
  *header = {bytes, state, site};
  return block;
}

bool is_block(const void* block, std::uint32_t state) {
  const auto address = reinterpret_cast<std::uint64_t>(block);
  return address >= kArena + sizeof(Header) && address < kArenaEnd && address % 16 == 0 &&
         header_of(const_cast<void*>(block))->state == state;
}

[[noreturn]] void refuse_release(void* block, const void* place, const void* frame) {
  const bool twice = is_block(block, kFreed);
  const auto address = reinterpret_cast<std::uint64_t>(block);
  if (twice && (detector.checking || detector.guarding)) {
    const Cell& cell = known_cell(address);
    const std::uint32_t me = self().index;
    const Access now{clocks_of(me).now[me], 0, static_cast<std::uint16_t>(me), 0xff, Touch::Freed};
    if (is_present(cell.execution) && cell.accesses[0].touch == Touch::Freed)
      report_bad_memory(cell.accesses[0], now, address, place);
  }
  message() << "free of " << block << (twice ? ", which was freed before" : ", which is not the start of a heap block");
  fail(twice ? FailureKind::DoubleFree : FailureKind::InvalidFree, worker.channel->message, site_of(place, frame));
}

bool in_text(const void* place) { return image.has_code(reinterpret_cast<std::uint64_t>(place)); }

/// The scheduling point that ends the lifetime of a range of bytes, if lifetimes are scheduling points.
void announce_end(std::uint64_t begin, std::uint64_t bytes, std::uint64_t site) {
  if (!detector.guarding || !lives_may_race()) return;
  Operation release;
  release.kind = OperationKind::Free;
  release.object = begin;
  release.set_length(bytes == 0 ? 1 : bytes);
  perform(release, site);
}

}  // namespace

void allocate_first(std::size_t bytes) { take_block(bytes, 16, kOwn, 0); }

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (scheduling.keeps_states && booted) [[unlikely]]
    begin_recycling();
  return take_block(bytes, alignment, kOwn, 0);
}

/// Standalone: without an explorer.
static void* allocate_alone(std::size_t bytes, std::size_t alignment) {
  if (alignment > 16) return take_block(bytes, alignment, kLive, 0);
  if (void* block = take_freed(bytes); block != nullptr) return block;
  void* block = take_block(class_bytes(bytes), 16, kLive, 0);
  if (block == nullptr) return nullptr;
  header_of(block)->bytes = bytes;
  mark_class(*header_of(block));
  return block;
}

void* allocate_at(std::size_t bytes, std::size_t alignment, const void* place) {
  if (worker.standalone) [[unlikely]]
    return allocate_alone(bytes, alignment);
  const auto address = reinterpret_cast<std::uint64_t>(place);
  auto site = in_text(place) ? static_cast<std::uint32_t>(address - image.base) : 0;
  if (scheduling.reporting) [[unlikely]]
    if (const std::uint64_t own = own_site(address); own != kInvisible) site = static_cast<std::uint32_t>(own);
  if (scheduling.keeps_states) [[unlikely]]
    if (void* block = take_recycled(bytes, alignment); block != nullptr) {
      *header_of(block) = {bytes, kLive, site};
      ++memory.live_blocks;
      if (detector.checking || detector.guarding) mark_used_again(reinterpret_cast<std::uint64_t>(block), bytes);
      return block;
    }
  const std::uint8_t* bottom = self().heap_top;
  std::uint8_t* block = take_block(bytes, alignment, kLive, site);
  if (block == nullptr) return nullptr;
  ++memory.live_blocks;
  if (detector.checking || detector.guarding) [[unlikely]] {
    const auto begin = reinterpret_cast<std::uint64_t>(block);
    mark_gap((reinterpret_cast<std::uint64_t>(bottom) + 15) & ~15ULL, begin);
    mark_gap(begin + bytes, (begin + (bytes == 0 ? 1 : bytes) + 15) & ~15ULL);
    if (detector.tracing) note_allocation(begin, bytes, place);
  }
  return block;
}

void announce_release(void* block, const void* place, const void* frame) {
  // Libraries order their frees by synchronisation that is not instrumented: as scheduling points, such frees would
  // seem to race. A double free is announced too: failing is an outcome of the step.
  if (!detector.guarding || !in_text(place) || !(is_block(block, kLive) || is_block(block, kFreed))) return;
  announce_end(reinterpret_cast<std::uint64_t>(block), header_of(block)->bytes, site_of(place, frame));
}

void release_block(void* block, const void* place, const void* frame) {
  if (block == nullptr) return;
  announce_release(block, place, frame);
  release_announced(block, place, frame);
}

void release_announced(void* block, const void* place, const void* frame) {
  if (!is_block(block, kLive)) [[unlikely]]
    refuse_release(block, place, frame);
  Header* header = header_of(block);
  if (scheduling.in_section) [[unlikely]]
    make_section_final();
  if (detector.guarding) mark_freed(reinterpret_cast<std::uint64_t>(block), header->bytes, place);
  if (detector.checking) [[unlikely]] {
    if (in_text(place))
      touch_range(block, header->bytes, Touch::Freed, place);
    else
      mark_freed(reinterpret_cast<std::uint64_t>(block), header->bytes, place);
  }
  header->state = kFreed;
  if (worker.standalone) [[unlikely]]
    keep_freed(*header);
  if (scheduling.keeps_states) [[unlikely]]
    recycle(*header);
  if (reinterpret_cast<std::uint64_t>(block) < slot_base(kBootSlot)) --memory.live_blocks;
}

void release_pages(std::uint64_t begin, std::uint64_t bytes, const void* place, std::uint64_t site) {
  if (!detector.checking && !detector.guarding) return;
  announce_end(begin, bytes, site);
  for (std::uint64_t page = begin; page < begin + bytes; page += kPage) {
    const Cell& cell = known_cell(page);
    if (is_present(cell.execution) && cell.accesses[0].touch == Touch::Freed && cell.accesses[0].bytes != 0) continue;
    if (detector.checking)
      touch_range(reinterpret_cast<const void*>(page), kPage, Touch::Freed, place);
    else
      mark_freed(page, kPage, place);
  }
}

void shrink_heap(std::uint32_t index, std::uint8_t* top) {
  Thread& thread = threads.all[index];
  const auto used = static_cast<std::uint64_t>(thread.heap_top - top);
  constexpr std::uint64_t kLarge = 256 * kPage;  // above this size, returning the pages is cheaper than zeroing them
  if (used == 0) return;
  if (used <= 512) {
    // Faster than `rep stos` for few bytes. Blocks start at multiples of sixteen bytes.
    auto* word = reinterpret_cast<volatile std::uint64_t*>((reinterpret_cast<std::uint64_t>(top) + 15) & ~15ULL);
    while (reinterpret_cast<std::uint64_t>(word) < reinterpret_cast<std::uint64_t>(thread.heap_top)) *word++ = 0;
  } else if (used <= kLarge) {
    zero_bytes(top, used);
  } else {
    zero_bytes(top, kLarge);
    const std::uint64_t rest = (reinterpret_cast<std::uint64_t>(top) & ~(kPage - 1)) + kLarge;
    raw_syscall(SYS_madvise, static_cast<long>(rest), static_cast<long>((used + kPage) & ~(kPage - 1)), MADV_DONTNEED);
  }
  thread.heap_top = top;
}

void leave_boot_heap() { booted = true; }
void return_to_boot_heap() { booted = false; }
std::uint64_t boot_heap_bottom() { return slot_base(kBootSlot); }
std::uint64_t boot_heap_top() { return (reinterpret_cast<std::uint64_t>(boot_top) + kPage - 1) & ~(kPage - 1); }

bool beyond_heap(std::uint64_t address) {
  if (!is_in_arena(address) || offset_in_slot(address) < kHeapOffset) return false;
  const std::uint32_t index = slot_of(address);
  return index < scheduling.thread_end && address >= reinterpret_cast<std::uint64_t>(threads.all[index].heap_top);
}

Block block_near(std::uint64_t address) {
  Block result{};
  if (!is_in_arena(address) || offset_in_slot(address) < kHeapOffset) return result;
  const std::uint32_t index = slot_of(address);
  if (index >= scheduling.thread_end) return result;
  for_each_block(index, [&](Header& header) {
    const auto block = reinterpret_cast<std::uint64_t>(&header + 1);
    if (block > address) return true;
    if (header.state != kOwn) result = {block, header.bytes, index, header.site};
    return false;
  });
  return result;
}

}  // namespace mazurka::runtime

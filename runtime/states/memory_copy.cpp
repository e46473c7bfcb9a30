#include "runtime/states/memory_copy.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

/// The part of a thread's memory that is copied. Outside of it the copy is zero.
struct Copied {
  std::uint64_t stack_begin;  ///< up to first_frame(); 0: nothing
  std::uint64_t heap_end;     ///< from heap_bottom() on
};

struct Copies {
  std::uint32_t hot_pages;
  Copied threads[protocol::kMaxProcesses];
};

// At fixed addresses outside of the snapshot.
constexpr std::uint64_t kHeapBytes = 64U << 20;  // heap limit per thread with keeps_states
Copies* const copies = reinterpret_cast<Copies*>(0x4a00'0000'0000);
constexpr std::uint64_t kPageCopies = 0x4a10'0000'0000;
constexpr std::uint64_t kMaxPages = 1U << 20;
constexpr std::uint64_t kStackCopies = 0x4a20'0000'0000;
constexpr std::uint64_t kHeapCopies = 0x4a40'0000'0000;

std::uint64_t word_at(std::uint64_t place) { return *reinterpret_cast<const std::uint64_t*>(place); }
void put_word(std::uint64_t place, std::uint64_t word) { *reinterpret_cast<volatile std::uint64_t*>(place) = word; }

__attribute__((noinline)) void add_change(std::uint64_t address, std::uint64_t before, std::uint64_t now,
                                          StepChange& change) {
  if (change.is_listed) list_difference(address, before ^ now);
  for (std::uint64_t i = 0; i < 8; ++i, before >>= 8, now >>= 8) {
    if ((before & 0xff) == (now & 0xff)) continue;
    change.add(hash_of_byte(address + i, before & 0xff));
    change.add(hash_of_byte(address + i, now & 0xff));
  }
}

/// \pre Both are multiples of eight.
void compare(std::uint64_t address, std::uint64_t copy, std::uint64_t bytes, StepChange& change) {
  for (std::uint64_t i = 0; i < bytes; i += 8) {
    const std::uint64_t now = word_at(address + i);
    const std::uint64_t before = word_at(copy + i);
    if (now == before) [[likely]]
      continue;
    add_change(address + i, before, now, change);
    put_word(copy + i, now);
  }
}

/// The memory is no longer part of the state.
void drop(std::uint64_t address, std::uint64_t copy, std::uint64_t bytes, StepChange& change) {
  for (std::uint64_t i = 0; i < bytes; i += 8) {
    if (word_at(copy + i) == 0) continue;
    add_change(address + i, word_at(copy + i), 0, change);
    put_word(copy + i, 0);
  }
}

std::uint64_t copy_of_stack(std::uint32_t index, std::uint64_t address) {
  return kStackCopies + index * kStackBytes + (address - stack_bottom(index));
}
std::uint64_t copy_of_heap(std::uint32_t index, std::uint64_t address) {
  return kHeapCopies + index * kHeapBytes + (address - heap_bottom(index));
}

/// The start of the live part of a thread's stack.
std::uint64_t stack_begin(std::uint32_t index) {
  const Thread& thread = threads.all[index];
  const bool is_empty = thread.life != Life::Live || thread.position[0] == 0;
  return is_empty ? first_frame(index) : thread.position[0] & ~7ULL;
}

std::uint64_t heap_end_of(std::uint32_t index) {
  const Thread& thread = threads.all[index];
  if (thread.life == Life::Absent) return heap_bottom(index);
  const std::uint64_t end = (reinterpret_cast<std::uint64_t>(thread.heap_top) + 7) & ~7ULL;
  if (end - heap_bottom(index) > kHeapBytes) unsupported("a heap of more than 64 MiB per thread, with --cutoffs,", 0);
  return end;
}

constexpr std::uint64_t copy_of_page(std::uint32_t number) { return kPageCopies + number * kPage; }

void compare_stack(std::uint32_t index, StepChange& change) {
  Copied& copied = copies->threads[index];
  const std::uint64_t begin = stack_begin(index);
  const std::uint64_t end = first_frame(index);
  std::uint64_t before = copied.stack_begin == 0 ? end : copied.stack_begin;
  if (before < begin) {
    drop(before, copy_of_stack(index, before), begin - before, change);
    before = begin;
  }
  compare(begin, copy_of_stack(index, begin), end - begin, change);
  copied.stack_begin = begin;
}

void compare_heap(std::uint32_t index, StepChange& change) {
  Copied& copied = copies->threads[index];
  const std::uint64_t begin = heap_bottom(index);
  const std::uint64_t end = heap_end_of(index);
  const std::uint64_t before = copied.heap_end == 0 ? begin : copied.heap_end;
  // Freed memory is zero.
  compare(begin, copy_of_heap(index, begin), (end > before ? end : before) - begin, change);
  copied.heap_end = end;
}

}  // namespace

void prepare_copies() {
  map_at(reinterpret_cast<std::uint64_t>(copies), sizeof(Copies));
  map_at(kPageCopies, kMaxPages * kPage);
  map_at(kStackCopies, protocol::kMaxProcesses * kStackBytes);
  map_at(kHeapCopies, protocol::kMaxProcesses * kHeapBytes);
}

void copy_memory() {
  // Hot pages are renumbered now and then, so they are copied. The rest is updated by a comparison whose result is
  // ignored, whatever the copies hold.
  for (std::uint32_t i = 0; i < hot_pages(); ++i) {
    const HotPage& page = hot_page(i);
    copy_bytes(reinterpret_cast<void*>(copy_of_page(i) + page.begin),
               reinterpret_cast<const void*>(page.address + page.begin), page.bytes);
  }
  copies->hot_pages = hot_pages();
  StepChange ignored;
  for (std::uint32_t i = 0; i < protocol::kMaxProcesses; ++i) {
    const Copied& copied = copies->threads[i];
    if (i >= scheduling.thread_end && copied.stack_begin == 0 && copied.heap_end == 0) break;
    compare_stack(i, ignored);
    compare_heap(i, ignored);
  }
}

void compare_memory(StepChange& change) {
  for (std::uint32_t i = 0; i < hot_pages(); ++i) {
    const HotPage& page = hot_page(i);
    if (i >= copies->hot_pages) copy_bytes(reinterpret_cast<void*>(copy_of_page(i)), saved_page(i), kPage);
    compare(page.address + page.begin, copy_of_page(i) + page.begin, page.bytes, change);
  }
  copies->hot_pages = hot_pages();
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    change.is_own = i == self().index;
    compare_stack(i, change);
    change.is_own = false;
    compare_heap(i, change);
  }
}

}  // namespace mazurka::runtime

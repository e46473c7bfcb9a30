// The race detector: who touched which bytes last, for every eight bytes of the program's memory.
//
// A cell keeps the accesses that a later one may still race with. An access is forgotten, byte by byte, when another
// comes that happens after it and that everything conflicts with that conflicts with it: whatever races with the first
// then races with the second as well. So a race is found whenever there is one in the executed order, and most cells
// hold one access or two. Cells carry the number of the execution and are never cleared. Where an execution goes on
// from a checkpoint, those of the segments before it count as well; such a cell is kept aside before it changes.
//
// A page that is only ever accessed as a whole has one cell for all of it: pages.hpp.
//
// The same cells tell freed memory and the gaps between heap blocks: an access of such bytes is an error whoever it is
// ordered with.
#pragma once

#include <cstdint>

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// How bytes were last used. `Freed` counts as a write against what came before it; nothing may come after it.
enum class Touch : std::uint8_t { AtomicRead, AtomicWrite, Read, Write, Freed, Gap };

/// Whether the races of an access are meant (meant_races.hpp).
enum class Meant : std::uint8_t { No, Annotated, Suppressed };

struct Access {
  std::int32_t clock;
  std::uint32_t site;  ///< 0 where a library did it
  std::uint16_t thread;
  std::uint8_t bytes;  ///< which of the eight, as bits; 0: no access
  Touch touch : 6;
  Meant meant : 2;  ///< No where nothing is said
};
static_assert(sizeof(Access) == 12);

struct Cell {
  std::uint32_t execution;
  std::uint32_t more;  ///< of further accesses, 0 if none
  Access accesses[2];  ///< the latest first
};
static_assert(sizeof(Cell) == 32);

// The map: four bytes for each byte of the arena; elsewhere the low forty bits of an address say where.
inline constexpr std::uint64_t kArenaShadow = 0x2000'0000'0000;
inline constexpr std::uint64_t kOtherShadow = 0x4000'0000'0000;
inline constexpr std::uint64_t kOtherBytes = 1ULL << 40;
static_assert(kArenaEnd <= kArenaShadow && kArenaShadow + (kArenaEnd - kArena) * 4 <= kOtherShadow);

inline Cell& cell_of(std::uint64_t address) {
  const std::uint64_t offset = address - kArena;
  if (offset < kArenaEnd - kArena) return *reinterpret_cast<Cell*>(kArenaShadow + (offset & ~7ULL) * 4);
  return *reinterpret_cast<Cell*>(kOtherShadow + (address & (kOtherBytes - 1) & ~7ULL) * 4);
}

/// Maps the memory of the cells. To be called once.
void prepare_cells();
/// Before every execution that begins at main.
void start_cells();
/// Forgets all executions.
void forget_cells();
/// How many cells have been kept aside; and puts those from this number on back.
std::uint32_t cells_kept();
void put_cells_back(std::uint32_t first);
/// Whether all that had to be kept aside could be.
bool all_cells_kept();

/// An access of the running thread, performed at the code address `place`.
void touch_cell(Cell& cell, std::uint8_t bytes, Touch touch, std::uint64_t address, const void* place);
void touch_range(const volatile void* address, std::uint64_t bytes, Touch touch, const void* place);
/// Where plain accesses are steps nothing is kept of them; they are compared with freed memory and gaps only.
void guard_range(std::uint64_t address, std::uint64_t bytes, Touch touch, const void* place);
/// The same for stacks: that of a thread which has ended is not memory.
void guard_stack(std::uint64_t address, Touch touch, const void* place);
inline bool is_on_heap(std::uint64_t address) {
  return is_in_arena(address) && (offset_in_slot(address) >= kHeapOffset || address >= slot_base(kBootSlot));
}
inline void guard(const volatile void* pointer, std::uint64_t bytes, Touch touch, const void* place) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (is_on_heap(address))
    guard_range(address, bytes, touch, place);
  else if (is_on_stack(address))
    guard_stack(address, touch, place);
}
/// The running thread ends: what others used of its stack must have been before.
void end_stack();
/// Marks bytes between blocks.
void mark_gap(std::uint64_t begin, std::uint64_t end);
/// Forgets that a block was freed: it is one of `bytes` again, with a gap behind.
void mark_used_again(std::uint64_t begin, std::uint64_t bytes);
/// Marks a block as freed without asking who used it: libraries order that by means which are not seen.
void mark_freed(std::uint64_t begin, std::uint64_t bytes, const void* place);

constexpr std::uint8_t bytes_from(std::uint64_t offset, std::uint64_t count) {
  return static_cast<std::uint8_t>(((1U << count) - 1U) << offset);
}

/// The quick test for a plain access: the thread made it before, or wrote there, in the same epoch, and nobody came
/// between. Nothing has happened that could make a difference.
inline bool is_repetition(const Cell& cell, std::uint8_t bytes, Touch touch) {
  const Access& last = cell.accesses[0];
  const std::uint32_t me = self().index;
  return cell.execution == detector.execution && last.thread == me && last.clock == clocks_of(me).now[me] &&
         (bytes & ~last.bytes) == 0 && (last.touch == touch || last.touch == Touch::Write) && last.meant == Meant::No;
}

inline void touch_plain(const volatile void* pointer, std::uint32_t bytes, Touch touch, const void* place) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const std::uint64_t offset = address & 7;
  if (offset + bytes <= 8 && !scheduling.in_section) [[likely]] {
    Cell& cell = cell_of(address);
    if (is_repetition(cell, bytes_from(offset, bytes), touch)) [[likely]]
      return;
    return touch_cell(cell, bytes_from(offset, bytes), touch, address, place);
  }
  touch_range(pointer, bytes, touch, place);
}

}  // namespace mazurka::runtime

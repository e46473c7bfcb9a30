// The race detector's shadow memory: the last accesses to each eight bytes of the program's memory.
//
// A cell holds the accesses that a later one may still race with. A new access replaces an older one, byte by byte, if
// it happens after it and conflicts with everything that the older one conflicts with: whatever races with the older
// then races with the newer too. So a race in the executed order is always found, and most cells hold one or two
// accesses. Cells carry the number of their execution and are never cleared. After resuming from a checkpoint, cells of
// earlier segments are valid too; such a cell is saved before it changes.
//
// A page that is only accessed as a whole has a single cell: pages.hpp.
//
// Cells also mark freed memory and the gaps between heap blocks: any access to such bytes is an error, however it is
// ordered.
#pragma once

#include <cstdint>

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// The last use of bytes. `Freed` conflicts like a write with earlier accesses; any later access is an error.
enum class Touch : std::uint8_t { AtomicRead, AtomicWrite, Read, Write, Freed, Gap };

/// Whether and why races of an access are intended (intended_races.hpp).
enum class Intended : std::uint8_t { No, Annotated, Suppressed };

struct Access {
  std::int32_t clock;
  std::uint32_t site;  ///< 0 if made by a library
  std::uint16_t thread;
  std::uint8_t bytes;  ///< bit set of the eight bytes; 0: no access
  Touch touch : 6;
  Intended intended : 2;
};
static_assert(sizeof(Access) == 12);

struct Cell {
  std::uint32_t execution;
  std::uint32_t more;  ///< index of a list of further accesses, 0 if none
  Access accesses[2];  ///< the latest first
};
static_assert(sizeof(Cell) == 32);

// The mapping: four bytes of shadow per byte of the arena. Elsewhere the low forty bits of an address index the shadow.
inline constexpr std::uint64_t kArenaShadow = 0x2000'0000'0000;
inline constexpr std::uint64_t kOtherShadow = 0x4000'0000'0000;
inline constexpr std::uint64_t kOtherBytes = 1ULL << 40;
static_assert(kArenaEnd <= kArenaShadow && kArenaShadow + (kArenaEnd - kArena) * 4 <= kOtherShadow);

inline Cell& cell_of(std::uint64_t address) {
  const std::uint64_t offset = address - kArena;
  if (offset < kArenaEnd - kArena) return *reinterpret_cast<Cell*>(kArenaShadow + (offset & ~7ULL) * 4);
  return *reinterpret_cast<Cell*>(kOtherShadow + (address & (kOtherBytes - 1) & ~7ULL) * 4);
}

/// Maps the shadow memory. Call once.
void prepare_cells();
/// Call before every execution that starts at main.
void start_cells();
/// Invalidates the cells of all executions.
void forget_cells();
/// Number of cells saved since the first checkpoint; and restores those from number `first` on.
std::uint32_t cells_kept();
void put_cells_back(std::uint32_t first);
/// Whether every cell that changed could be saved.
bool all_cells_kept();

/// Checks and records an access of the running thread; `place` is its code address.
void touch_cell(Cell& cell, std::uint8_t bytes, Touch touch, std::uint64_t address, const void* place);
void touch_range(const volatile void* address, std::uint64_t bytes, Touch touch, const void* place);
/// If plain accesses are scheduling points they are not recorded, only checked against freed memory and gaps.
void guard_range(std::uint64_t address, std::uint64_t bytes, Touch touch, const void* place);
/// The same for stacks: that of an ended thread must not be accessed.
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
/// The running thread ends: accesses of others to its stack must happen before.
void end_stack();
/// Marks the bytes between blocks.
void mark_gap(std::uint64_t begin, std::uint64_t end);
/// Unmarks a recycled block: it has `bytes` again, with a gap behind it.
void mark_used_again(std::uint64_t begin, std::uint64_t bytes);
/// Marks a block as freed without a race check: libraries order their accesses by synchronisation that is not
/// instrumented.
void mark_freed(std::uint64_t begin, std::uint64_t bytes, const void* place);

constexpr std::uint8_t bytes_from(std::uint64_t offset, std::uint64_t count) {
  return static_cast<std::uint8_t>(((1U << count) - 1U) << offset);
}

/// Fast path for a plain access: the thread made it before, or wrote there, in the same epoch, and no other access came
/// in between. So the result would be the same.
inline bool is_repetition(const Cell& cell, std::uint8_t bytes, Touch touch) {
  const Access& last = cell.accesses[0];
  const std::uint32_t me = self().index;
  return cell.execution == detector.execution && last.thread == me && last.clock == clocks_of(me).now[me] &&
         (bytes & ~last.bytes) == 0 && (last.touch == touch || last.touch == Touch::Write) &&
         last.intended == Intended::No;
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

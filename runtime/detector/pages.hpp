// Page cells: the race detector keeps a single cell for a page that is only accessed as a whole, for example by a large
// memset, or freed without having been used. So an access to a large block costs a few operations per page.
//
// If a part of such a page is accessed by itself, it gets a cell of its own, a copy of the page cell that overrides it
// from then on. A page with such cells is `used`, and is no longer accessed as a whole.
//
// Each page records the segment (detector.hpp) of its first use. The number only changes if that segment is not part of
// this execution. So it stays correct after resuming from a checkpoint: a page used before the checkpoint keeps the
// number from before it.
#pragma once

#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

inline constexpr std::uint64_t kArenaPages = 0x4900'0000'0000;
inline constexpr std::uint64_t kOtherPages = 0x4920'0000'0000;
inline constexpr std::uint64_t kArenaUsed = 0x4930'0000'0000;
inline constexpr std::uint64_t kOtherUsed = 0x4938'0000'0000;
inline constexpr std::uint64_t kPagesEnd = kOtherUsed + kOtherBytes / kPage * sizeof(std::uint32_t);
static_assert(kArenaPages + (kArenaEnd - kArena) / kPage * sizeof(Cell) <= kOtherPages);
static_assert(kOtherPages + kOtherBytes / kPage * sizeof(Cell) <= kArenaUsed);
static_assert(kArenaUsed + (kArenaEnd - kArena) / kPage * sizeof(std::uint32_t) <= kOtherUsed);

namespace detail {
template <class T>
T& of_page(std::uint64_t address, std::uint64_t arena, std::uint64_t other) {
  const std::uint64_t offset = address - kArena;
  if (offset < kArenaEnd - kArena) return reinterpret_cast<T*>(arena)[offset / kPage];
  return reinterpret_cast<T*>(other)[(address & (kOtherBytes - 1)) / kPage];
}
}  // namespace detail

inline Cell& page_cell_of(std::uint64_t address) { return detail::of_page<Cell>(address, kArenaPages, kOtherPages); }

/// Whether the page of an address has a page cell.
inline bool has_page_cell(std::uint64_t address) {
  return detector.page_cells && is_present(page_cell_of(address).execution);
}

/// Call before the cell of an address becomes one of this execution.
inline void note_used(std::uint64_t address) {
  auto& used = detail::of_page<std::uint32_t>(address, kArenaUsed, kOtherUsed);
  if (!is_present(used)) used = detector.execution;
}
inline bool is_used(std::uint64_t address) {
  return is_present(detail::of_page<std::uint32_t>(address, kArenaUsed, kOtherUsed));
}

/// The cell that describes an address, read-only: its own or its page's.
inline const Cell& known_cell(std::uint64_t address) {
  const Cell& own = cell_of(address);
  return is_present(own.execution) || !has_page_cell(address) ? own : page_cell_of(address);
}

}  // namespace mazurka::runtime

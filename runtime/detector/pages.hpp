// Pages of which the race detector keeps one cell for all of their bytes: those that are accessed as a whole, by a
// large memset say, or freed without having been used. So what is said of a large block costs a few operations a page,
// however much of it was used.
//
// A part of such a page that is accessed by itself gets a cell of its own, which begins as that of the page and counts
// instead of it from then on. A page with cells of its own is `used`, and is no longer accessed as a whole.
//
// Each page has the number of a segment (detector.hpp) in which it was first used. It changes only if that segment does
// not belong to this execution; so where an execution goes on from a checkpoint, it is right still: a page used before
// the checkpoint keeps the number from before it.
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

/// Whether there is a cell for the page of an address as a whole.
inline bool has_page_cell(std::uint64_t address) {
  return detector.page_cells && is_present(page_cell_of(address).execution);
}

/// The cell of an address is about to be one of this execution.
inline void note_used(std::uint64_t address) {
  auto& used = detail::of_page<std::uint32_t>(address, kArenaUsed, kOtherUsed);
  if (!is_present(used)) used = detector.execution;
}
inline bool is_used(std::uint64_t address) {
  return is_present(detail::of_page<std::uint32_t>(address, kArenaUsed, kOtherUsed));
}

/// What is known of an address, to be read only: its own cell or that of its page.
inline const Cell& known_cell(std::uint64_t address) {
  const Cell& own = cell_of(address);
  return is_present(own.execution) || !has_page_cell(address) ? own : page_cell_of(address);
}

}  // namespace mazurka::runtime

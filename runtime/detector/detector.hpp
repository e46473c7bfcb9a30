// What the current execution checks, and how much of the race detector's tables is in use.
#pragma once

#include <cstdint>

#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

inline constexpr std::uint32_t kMaxSegments = 64;

/// The part that a checkpoint saves.
struct DetectorMoment {
  std::uint32_t clock_count;  ///< number of object clocks in use
  std::uint32_t node_count;   ///< number of accesses stored outside of their cells
};

/// On pages of its own, which the snapshot excludes. What every plain access reads comes first, in one cache line.
struct alignas(kPage) Detector : DetectorMoment {
  bool checking;     ///< race detection is on
  bool guarding;     ///< plain accesses are scheduling points, and each is checked against freed memory and gaps
  bool hooked;       ///< plain accesses call the runtime although `checking` is off
  bool following;    ///< function entries and exits are tracked: for traces or atomic sections
  bool tracing;      ///< call stacks are recorded, for a report
  bool detecting;    ///< freed memory and gaps are marked, for `checking` or `guarding`
  bool page_cells;   ///< some page may have a page cell in this execution
  bool suppressing;  ///< the user suppresses some races
  /// Plain accesses left until the running thread, which may be busy-waiting, yields (plain.cpp).
  std::uint32_t accesses_left;
  std::uint32_t cells_touched;  ///< number of cells touched for the first time in an execution; never reset
  std::uint32_t cells_reported;
  std::uint32_t clock_width;  ///< number of clock entries in use
  /// Number of this execution, or of its current segment: every checkpoint starts a new segment.
  std::uint32_t execution;
  std::uint32_t segment_count;
  std::uint32_t segments[kMaxSegments];  ///< numbers of the segments before it
};
MAZURKA_SHARED Detector detector;

/// Whether this number is that of an earlier segment of this execution.
inline bool is_earlier_segment(std::uint32_t number) {
  for (std::uint32_t i = 0; i < detector.segment_count; ++i)
    if (detector.segments[i] == number) return true;
  return false;
}
/// Whether it is the number of any segment of this execution.
inline bool is_present(std::uint32_t number) { return number == detector.execution || is_earlier_segment(number); }

/// Call once, after take_snapshot().
void prepare_detector();
/// Call before every execution that starts at main.
void start_detector();
/// Starts a new segment, after those in `segments`.
void start_segment();
/// Whether there is a number left for another segment.
bool may_start_segment();

}  // namespace mazurka::runtime

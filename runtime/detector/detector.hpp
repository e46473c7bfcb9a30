// What is watched in the execution under way, and how far the race detector's tables are used.
#pragma once

#include <cstdint>

#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

inline constexpr std::uint32_t kMaxSegments = 64;

/// What a checkpoint keeps of it.
struct DetectorMoment {
  std::uint32_t clock_count;  ///< clocks of objects in use
  std::uint32_t node_count;   ///< accesses that are kept outside their cells
};

/// In pages of its own, which the snapshot leaves alone. What every plain access reads comes first, close together.
struct alignas(kPage) Detector : DetectorMoment {
  bool checking;     ///< the race detector watches: the program is running under it
  bool guarding;     ///< the program is running, its plain accesses are steps, and each is compared with the marks
  bool hooked;       ///< plain accesses are looked at though the detector does not watch
  bool following;    ///< calls are looked at: they are traced, or functions are atomic sections
  bool tracing;      ///< calls are noted, for the stacks of a report
  bool detecting;    ///< memory that must not be accessed is marked, for the race detector or for `guarding`
  bool page_cells;   ///< there may be some in this execution
  bool suppressing;  ///< the user suppresses some races
  /// Of plain accesses until the running thread, which may be waiting in a loop, lets others run (plain.cpp).
  std::uint32_t accesses_left;
  std::uint32_t cells_touched;  ///< for the first time in the execution; counts on
  std::uint32_t cells_reported;
  std::uint32_t clock_width;  ///< how many entries of clocks are used
  /// Marks what belongs to this execution, or to this segment of it: at a checkpoint another segment begins.
  std::uint32_t execution;
  std::uint32_t segment_count;
  std::uint32_t segments[kMaxSegments];  ///< the numbers of the segments before
};
MAZURKA_SHARED Detector detector;

/// Whether what is marked with this number belongs to an earlier segment of this execution.
inline bool is_earlier_segment(std::uint32_t number) {
  for (std::uint32_t i = 0; i < detector.segment_count; ++i)
    if (detector.segments[i] == number) return true;
  return false;
}
/// Whether it belongs to this execution.
inline bool is_present(std::uint32_t number) { return number == detector.execution || is_earlier_segment(number); }

/// To be called once, after the snapshot has been taken.
void prepare_detector();
/// Before every execution that begins at main.
void start_detector();
/// The next segment begins, after the segments that are noted.
void start_segment();
/// Whether there are numbers left for another segment.
bool may_start_segment();

}  // namespace mazurka::runtime

// Data races in stateful exploration (--cutoffs with --plain=check).
//
// Whether two accesses race depends on the history, not on the state. But states can include the accesses of each
// thread since its last step, its *segment*. Then every combination of a state and the last segments of its threads
// occurs in a configuration inside an explored one. There, nothing orders the last segments of two threads, so the race
// detector finds every conflict between them in the explored execution.
//
// That this suffices follows like the DRF theorem (data-race-free programs are sequentially consistent): given an
// execution with a race, remove everything that happens before neither access. The rest is an execution, since
// everything read in it happens before; and in it both accesses are in last segments. The proof needs that a write
// happens before the atomic access that reads it, so accesses weaker than acquire and release are refused.
//
// The state contains the hash of the segment. With Settings::keeps_bytes the accesses themselves are recorded, in a log
// per thread, and are places of the state like others.
#pragma once

#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

void add_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch);
/// The same for a plain access at `site`; there may be many between two steps.
void add_plain_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch, std::uint64_t site);

/// Records an access of the running thread that the race detector is shown.
inline void note_in_segment(const volatile void* address, std::uint64_t bytes, Touch touch) {
  if (scheduling.keeps_states) [[unlikely]]
    add_to_segment(address, bytes, touch);
}

/// During its lifetime accesses are not added to segments: the race detector is shown what a thread before an await
/// might do, but its segment is complete.
class OutsideSegments {
 public:
  OutsideSegments() : kept_(scheduling.keeps_states) { scheduling.keeps_states = false; }
  ~OutsideSegments() { scheduling.keeps_states = kept_; }
  OutsideSegments(const OutsideSegments&) = delete;
  OutsideSegments& operator=(const OutsideSegments&) = delete;

 private:
  bool kept_;
};

/// The thread has reached its next step: completes its segment.
void end_segment(Thread& thread);

// The logs.
/// Maps them. Call once.
void prepare_segments();
/// Resets the log of a new thread.
void forget_segment(std::uint32_t index);
/// Lists the differences between the running thread's last two segments, as places from `place` on.
void list_segment(std::uint64_t place);
/// The log of a thread's last segment, for checkpoints.
struct KeptSegment {
  void* place;
  std::uint64_t bytes;
};
KeptSegment last_segment_of(std::uint32_t index);

/// Makes every plain access take the slow path; call after each step, which resets the counter.
inline void look_at_accesses() {
  if (scheduling.keeps_states) [[unlikely]]
    detector.accesses_left = 1;
}

/// Fails the execution if the memory order of an atomic access is too weak.
void refuse_weak_order(bool reads, bool writes, int order, std::uint64_t site);

}  // namespace mazurka::runtime

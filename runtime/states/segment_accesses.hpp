// Data races where states are explored instead of executions (--cutoffs with --plain=check).
//
// Whether two accesses race depends on what led to them. But there is something that states can tell: the accesses of
// each thread since its last step, its *segment*. With them as a part of the state, every combination of a state and of
// the last segments of its threads is that of a configuration inside an explored one. Nothing orders the last segments
// of two threads there, so the race detector finds in the explored execution whatever clashes.
//
// That this is enough is the theorem behind "programs without data races behave as if all was sequentially consistent":
// if two accesses race in some execution, leave out of it what happens before neither of them. What is left is an
// execution, since all that anybody reads there happens before; and in it both accesses belong to last segments. The
// proof needs that what an atomic access reads happens before it, so accesses weaker than acquire and release are
// refused.
//
// The segment is part of the state as a hash. With Settings::keeps_bytes the accesses themselves are kept, in a log of
// each thread, and are places of the state like others.
#pragma once

#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

void add_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch);
/// The same for a plain access at `site`, of which there may be many without a step.
void add_plain_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch, std::uint64_t site);

/// An access of the running thread that the race detector is shown.
inline void note_in_segment(const volatile void* address, std::uint64_t bytes, Touch touch) {
  if (scheduling.keeps_states) [[unlikely]]
    add_to_segment(address, bytes, touch);
}

/// While it lives, accesses are of no segment: the race detector is shown what a thread might do that stands before an
/// await, whose segment is over.
class OutsideSegments {
 public:
  OutsideSegments() : kept_(scheduling.keeps_states) { scheduling.keeps_states = false; }
  ~OutsideSegments() { scheduling.keeps_states = kept_; }
  OutsideSegments(const OutsideSegments&) = delete;
  OutsideSegments& operator=(const OutsideSegments&) = delete;

 private:
  bool kept_;
};

/// The thread has come to its next step: the segment is complete.
void end_segment(Thread& thread);

// Of the logs.
/// Maps them. To be called once.
void prepare_segments();
/// A thread begins.
void forget_segment(std::uint32_t index);
/// Lists what is different in the last segment of the running thread from the one before, as places from `place` on.
void list_segment(std::uint64_t place);
/// The last segment of a thread in bytes, for checkpoints.
struct KeptSegment {
  void* place;
  std::uint64_t bytes;
};
KeptSegment last_segment_of(std::uint32_t index);

/// Every plain access is to be looked at; the scheduler begins to count them anew with each step.
inline void look_at_accesses() {
  if (scheduling.keeps_states) [[unlikely]]
    detector.accesses_left = 1;
}

/// Ends the execution where an atomic access orders too little.
void refuse_weak_order(bool reads, bool writes, int order, std::uint64_t site);

}  // namespace mazurka::runtime

#include "runtime/states/segment_accesses.hpp"

#include "core/state_hash.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/states/states.hpp"

namespace mazurka::runtime {

void add_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch) {
  // In their order: a thread makes the same accesses in the same order if it comes from the same state.
  Thread& thread = self();
  const std::uint64_t what = bytes * 8 + static_cast<std::uint64_t>(touch);
  const StateHash hash = hash_of(reinterpret_cast<std::uint64_t>(address) ^ thread.segment[0], what);
  thread.segment[0] = hash.words[0];
  thread.segment[1] = hash.words[1] ^ thread.segment[1] * 0x9e3779b97f4a7c15ULL;
}

void add_plain_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch, std::uint64_t site) {
  if (++self().segment_accesses == kAccessesInARow) {
    self().segment_accesses = 0;
    give_way(site);
  }
  add_to_segment(address, bytes, touch);
  detector.accesses_left = 1;
}

void end_segment(Thread& thread) {
  for (int i = 0; i < 2; ++i) {
    thread.last_segment[i] = thread.segment[i];
    thread.segment[i] = 0;
  }
  thread.segment_accesses = 0;
}

void refuse_weak_order(bool reads, bool writes, int order, std::uint64_t site) {
  const bool acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  const bool releases = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  if ((reads && !acquires) || (writes && !releases))
    refuse_without_state("looking for data races beside atomic accesses weaker than acquire and release", site);
}

}  // namespace mazurka::runtime

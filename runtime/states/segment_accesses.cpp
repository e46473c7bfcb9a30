#include "runtime/states/segment_accesses.hpp"

#include "core/state_hash.hpp"
#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/states/states.hpp"
#include "runtime/states/step_change.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

struct Log {
  static constexpr std::uint64_t kMost = 1U << 16;
  std::uint64_t words;  ///< two per access
  std::uint64_t of[2 * kMost];
};
/// The logs of a thread: its current segment, the last one, and the one before that.
struct Logs {
  Log current;
  Log last;
  Log before;
};
// At a fixed address outside of the snapshot.
Logs* const logs = reinterpret_cast<Logs*>(0x4a80'0000'0000);

bool keeps_log() { return worker.channel->settings.keeps_bytes; }

void add_to_log(std::uint64_t address, std::uint64_t what) {
  Log& log = logs[self().index].current;
  if (log.words == 2 * Log::kMost) unsupported("more than 65,536 accesses between two steps, with --exact,", 0);
  log.of[log.words++] = address;
  log.of[log.words++] = what;
}

void copy_log(Log& to, const Log& from) { copy_bytes(&to, &from, (from.words + 1) * sizeof(std::uint64_t)); }

}  // namespace

void prepare_segments() { map_at(reinterpret_cast<std::uint64_t>(logs), protocol::kMaxProcesses * sizeof(Logs)); }

void forget_segment(std::uint32_t index) {
  if (keeps_log()) logs[index].current.words = logs[index].last.words = 0;
}

void list_segment(std::uint64_t place) {
  const std::uint32_t index = self().index;
  const Log& now = logs[index].last;
  const Log& before = logs[index].before;
  place += (1ULL << 62) + (std::uint64_t{index} << 32);
  for (std::uint64_t i = 0; i < now.words || i < before.words; ++i) {
    const std::uint64_t bits = (i < now.words ? now.of[i] : 0) ^ (i < before.words ? before.of[i] : 0);
    if (bits != 0) list_difference(place + i * sizeof(std::uint64_t), bits);
  }
}

KeptSegment last_segment_of(std::uint32_t index) {
  if (!keeps_log()) return {nullptr, 0};
  Log& log = logs[index].last;
  return {&log, (log.words + 1) * sizeof(std::uint64_t)};
}

void add_to_segment(const volatile void* address, std::uint64_t bytes, Touch touch) {
  // In program order: from the same state a thread makes the same accesses in the same order.
  Thread& thread = self();
  const std::uint64_t what = bytes * 8 + static_cast<std::uint64_t>(touch);
  if (keeps_log()) add_to_log(reinterpret_cast<std::uint64_t>(address), what);
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
  if (!keeps_log()) return;
  Logs& own = logs[thread.index];
  copy_log(own.before, own.last);
  copy_log(own.last, own.current);
  own.current.words = 0;
}

void refuse_weak_order(bool reads, bool writes, int order, std::uint64_t site) {
  const bool acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  const bool releases = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  if ((reads && !acquires) || (writes && !releases))
    refuse_without_state("looking for data races beside atomic accesses weaker than acquire and release", site);
}

}  // namespace mazurka::runtime

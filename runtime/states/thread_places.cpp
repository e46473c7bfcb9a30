#include "runtime/states/thread_places.hpp"

#include <type_traits>

#include "runtime/arch.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/waiting/local_state.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

// Per thread, in the order of list_places().
constexpr std::uint32_t kPlaces = 39 + Thread::kPositionWords;
using Places = std::uint64_t[kPlaces];
Places* const places = reinterpret_cast<Places*>(0x4a08'0000'0000);

/// How far the stack below the thread's position is kept clean.
constexpr std::uint64_t kClean = 8192;

/// Above all addresses of the program.
constexpr std::uint64_t kFirstPlace = 1ULL << 63;

template <class T>
std::uint64_t word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uint64_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

bool compares_with_expected(OperationKind kind) {
  using enum OperationKind;
  return kind == CompareExchange || kind == FutexWait || kind == BarrierLeave;
}

/// Whether this is an atomic access at which a thread may wait: Thread::access is then its return address.
bool is_access(const Operation& operation) {
  using enum OperationKind;
  if ((operation.flags & kPlain) != 0) return false;
  switch (operation.kind) {
    case Load:
    case ReadModifyWrite:
    case CompareExchange:
    case Await:
    case AwaitModify:
    case MutexTryLock:
    case TryReadLock:
    case TryWriteLock:
    case SemaphoreTryWait: return true;
    default: return false;
  }
}

/// The first of two places with the hash of the thread's last segment: see segment_accesses.hpp.
constexpr std::uint32_t kSegmentPlace = 8;

/// Lists everything that determines what a thread does, or what others observe of it. Each fact has its own place,
/// since independent steps may change one each.
void list_places(const Thread& thread, Places& to) {
  std::uint32_t count = 0;
  const auto add = [&](auto value) { to[count++] = word(value); };
  add(thread.life);
  const bool lives = thread.life == Life::Live;
  // Of an ended thread, only what a join or detach may still observe.
  add(thread.detached);
  add(thread.joined);
  add(thread.claimed_by);
  add(thread.result);
  add(thread.status);
  add(thread.last_child);
  add(thread.heap_top);
  if (count != kSegmentPlace) __builtin_trap();
  for (const std::uint64_t part : thread.last_segment) add(part);
  if (lives) {
    add(thread.queue);
    add(thread.woken);
    add(thread.timed);
    add(thread.without_time_out);
    add(thread.arrivals);
    add(thread.messages);
    std::uint64_t pending[3];
    static_assert(sizeof pending == sizeof thread.pending);
    __builtin_memcpy(pending, &thread.pending, sizeof pending);
    for (const std::uint64_t part : pending) add(part);
    const OperationKind kind = thread.pending.kind;
    const bool awaits = kind == OperationKind::AwaitModify || kind == OperationKind::Await;
    add(awaits ? thread.condition : 0);
    const OperationKind accesses = awaits ? thread.awaited.kind : kind;
    add(compares_with_expected(accesses) ? thread.expected[0] : 0);
    add(accesses == OperationKind::CompareExchange && thread.pending.size == 16 ? thread.expected[1] : 0);
    for (const std::uint64_t part : thread.position) add(part);
    add(thread.body);
    add(thread.argument);
    add(thread.atomic_depth);
    add(thread.section_calls);
    add(thread.ignored_reads);
    add(thread.ignored_writes);
    add(thread.ignored_synchronisation);
    add(thread.suppressed_calls);
    add(thread.passed);
    add(thread.deadline);
    add(thread.random);
    add(thread.destructors);
    add(thread.cleanups);
    add(thread.misuse);
    add(thread.onces);
    add(thread.signal_mask);
    add(thread.floating_point);
  }
  if (count > kPlaces) __builtin_trap();
  while (count < kPlaces) to[count++] = 0;
}

void list_thread(std::uint32_t index, Places& to) {
  if (index < scheduling.thread_end && threads.all[index].life != Life::Absent)
    return list_places(threads.all[index], to);
  for (std::uint64_t& place : to) place = 0;
}

}  // namespace

void prepare_places() { map_at(reinterpret_cast<std::uint64_t>(places), protocol::kMaxProcesses * sizeof(Places)); }

void forget_position(Thread& thread) {
  for (unsigned long& word : thread.position) word = 0;
  for (std::uint64_t& part : thread.segment) part = 0;
  for (std::uint64_t& part : thread.last_segment) part = 0;
  thread.segment_accesses = 0;
  thread.floating_point = floating_point_control();  // inherited
  forget_segment(thread.index);
}

void note_position(Thread& thread) {
  if (thread.life != Life::Live) return;
  thread.floating_point = floating_point_control();
  // The unwinder performs operations of its own (kInvisible), which overwrite these fields.
  const Operation pending = thread.pending;
  const std::uint64_t site = thread.site;
  const Readiness readiness = threads.readiness[thread.index];
  Event* const record = scheduling.record;
  const unsigned long step_functions[] = {
      reinterpret_cast<unsigned long>(&perform), reinterpret_cast<unsigned long>(&perform_access),
      reinterpret_cast<unsigned long>(&perform_watched), reinterpret_cast<unsigned long>(&perform_watched_access)};
  static_assert(Thread::kPositionWords == MAZURKA_REGISTERS + 1);
  const bool found = mazurka_registers_of_caller(step_functions, 4, thread.position) != 0;
  unsigned long registers[MAZURKA_REGISTERS];
  // The detection of waiting loops clears dead slots now and then. Do the same here, so that it makes no difference.
  const bool waits_there = scheduling.reduces_waits && is_access(pending) && thread.access == image.base + site;
  if (waits_there && image.has_code(thread.access))
    if (const std::uint64_t address = find_registers(thread, registers); address != 0)
      clear_dead_slots(thread, registers, address);
  thread.pending = pending;
  thread.site = site;
  set_readiness(thread.index, readiness);
  scheduling.record = record;
  if (found) return need_clean_stack(thread.position[0], kClean);
  unsupported("a program whose stacks cannot be unwound, with --cutoffs,", site);
}

void copy_threads() {
  for (std::uint32_t i = 0; i < protocol::kMaxProcesses; ++i) {
    if (i >= scheduling.thread_end && places[i][0] == 0) break;
    list_thread(i, places[i]);
  }
}

void compare_threads(StepChange& change) {
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    change.is_own = i == self().index;
    Places now;
    list_thread(i, now);
    for (std::uint32_t j = 0; j < kPlaces; ++j) {
      std::uint64_t& before = places[i][j];
      if (before == now[j]) [[likely]]
        continue;
      const std::uint64_t place = kFirstPlace + (std::uint64_t{i} * kPlaces + j) * 8;
      if (before != 0) change.add(hash_of(place, before));
      if (now[j] != 0) change.add(hash_of(place, now[j]));
      if (change.is_listed && j - kSegmentPlace >= 2) list_difference(place, before ^ now[j]);
      before = now[j];
    }
  }
  if (change.is_listed) list_segment(kFirstPlace);
}

}  // namespace mazurka::runtime

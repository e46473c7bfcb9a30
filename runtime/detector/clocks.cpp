#include "runtime/detector/clocks.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

/// Hash table entry for the clock of an object, by address; valid if `execution` is a segment of this execution.
struct Entry {
  std::uint64_t key;
  std::uint32_t execution;
  std::uint32_t clock;
};

constexpr std::uint32_t kEntriesShift = 18;
constexpr std::uint32_t kEntries = 1U << kEntriesShift;
constexpr std::uint32_t kMaxObjects = kEntries / 2;

// Fixed addresses behind the thread clocks: the hash table, then the objects' clocks.
Entry* const kTable = reinterpret_cast<Entry*>(0x4610'0000'0000);
Clock* const kObjectClocks = reinterpret_cast<Clock*>(0x4620'0000'0000);

// SIMD, four entries at a time; the width is a multiple of eight.
using Lanes = Clock __attribute__((vector_size(16)));

void join(Clock* into, const Clock* from) {
  for (std::uint32_t i = 0; i < detector.clock_width; i += 4) {
    auto& a = *reinterpret_cast<Lanes*>(into + i);
    const auto& b = *reinterpret_cast<const Lanes*>(from + i);
    a = a > b ? a : b;
  }
}

void assign(Clock* into, const Clock* from) {
  for (std::uint32_t i = 0; i < detector.clock_width; i += 4)
    *reinterpret_cast<Lanes*>(into + i) = *reinterpret_cast<const Lanes*>(from + i);
}

void clear(Clock* clock) {
  for (std::uint32_t i = 0; i < detector.clock_width; i += 4) *reinterpret_cast<Lanes*>(clock + i) = Lanes{};
}

Entry& entry_of(const volatile void* object, unsigned part) {
  const std::uint64_t key = reinterpret_cast<std::uint64_t>(object) << 2 | part;
  std::uint64_t place = key * 0x9e3779b97f4a7c15ULL >> (64 - kEntriesShift);
  for (;; place = (place + 1) % kEntries) {
    Entry& entry = kTable[place];
    const bool present = is_present(entry.execution);
    if (present && entry.key != key) continue;
    if (!present) entry.key = key;
    return entry;
  }
}

/// The clock of an object; null if nothing was released there.
const Clock* find(const volatile void* object, unsigned part) {
  const Entry& entry = entry_of(object, part);
  return is_present(entry.execution) ? kObjectClocks + std::size_t{entry.clock} * detector.clock_width : nullptr;
}

/// The clock of an object; `fresh` if it is new and the caller must write all of it.
Clock* find_or_make(const volatile void* object, unsigned part, bool& fresh) {
  Entry& entry = entry_of(object, part);
  fresh = !is_present(entry.execution);
  if (fresh) {
    if (detector.clock_count == kMaxObjects) unsupported("a race check over more than 131072 objects", self().site);
    entry.execution = detector.execution;
    entry.clock = detector.clock_count++;
  }
  return kObjectClocks + std::size_t{entry.clock} * detector.clock_width;
}

void put(const volatile void* object, unsigned part, const Clock* clock, bool replace) {
  bool fresh = false;
  Clock* mine = find_or_make(object, part, fresh);
  if (fresh || replace)
    assign(mine, clock);
  else
    join(mine, clock);
}

void advance_epoch() {
  const std::uint32_t me = self().index;
  ++clocks_of(me).now[me];
}

/// The effective memory order of an atomic operation.
int counted(int order) { return self().ignored_synchronisation == 0 ? order : __ATOMIC_RELAXED; }

constexpr bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
constexpr bool releases(int order) { return order >= __ATOMIC_RELEASE; }

}  // namespace

void prepare_clocks() {
  map_at(reinterpret_cast<std::uint64_t>(kClocks), (protocol::kMaxProcesses + 1) * sizeof(ThreadClocks));
  map_at(reinterpret_cast<std::uint64_t>(kTable), kEntries * sizeof(Entry));
  map_at(reinterpret_cast<std::uint64_t>(kObjectClocks),
         std::uint64_t{kMaxObjects} * protocol::kMaxProcesses * sizeof(Clock));
}

void start_clocks() {
  detector.clock_count = 0;
  detector.clock_width = (worker.process_count + 7U) & ~7U;
}

void forget_clocks() {
  raw_syscall(SYS_madvise, reinterpret_cast<long>(kTable), kEntries * sizeof(Entry), MADV_DONTNEED);
}

std::uint64_t object_clocks_begin() { return reinterpret_cast<std::uint64_t>(kObjectClocks); }
std::uint64_t object_clocks_bytes() {
  return std::uint64_t{detector.clock_count} * detector.clock_width * sizeof(Clock);
}

void start_clock(std::uint32_t child, std::uint32_t parent) {
  ThreadClocks& mine = clocks_of(child);
  if (child == parent) {
    clear(mine.now);
  } else {
    assign(mine.now, clocks_of(parent).now);
    ++clocks_of(parent).now[parent];
  }
  mine.now[child] = 1;
  mine.has_seen = mine.has_fenced = false;
  mine.depth = 0;
}

void acquire_thread(std::uint32_t index) {
  if (detector.checking) join(clocks_of(self().index).now, clocks_of(index).now);
}

void acquire_clock(const void* object, unsigned part) {
  if (self().ignored_synchronisation != 0) [[unlikely]]
    return;
  if (const Clock* clock = find(object, part)) join(clocks_of(self().index).now, clock);
}

void release_clock(const void* object, unsigned part, bool replace) {
  if (self().ignored_synchronisation != 0) [[unlikely]]
    return;
  put(object, part, clocks_of(self().index).now, replace);
  advance_epoch();
}

void add_to_clock(const void* object, unsigned part) {
  if (self().ignored_synchronisation != 0) [[unlikely]]
    return;
  put(object, part, clocks_of(self().index).now, false);
}
void next_epoch() { advance_epoch(); }

void forget_clock(const void* object, unsigned part) {
  if (const Entry& entry = entry_of(object, part); is_present(entry.execution))
    clear(kObjectClocks + std::size_t{entry.clock} * detector.clock_width);
}

void atomic_acquire(const volatile void* address, int order) {
  const Clock* clock = find(address, 0);
  if (clock == nullptr) return;
  ThreadClocks& mine = clocks_of(self().index);
  if (acquires(counted(order))) {
    join(mine.now, clock);
  } else if (mine.has_seen) {
    join(mine.seen, clock);
  } else {
    assign(mine.seen, clock);
    mine.has_seen = true;
  }
}

void atomic_release(const volatile void* address, int order, bool store) {
  ThreadClocks& mine = clocks_of(self().index);
  if (releases(counted(order))) return release_clock(const_cast<const void*>(address), 0, store);
  if (mine.has_fenced) return put(address, 0, mine.fenced, store);
  if (!store) return;
  // A relaxed store releases nothing and ends the release sequence.
  if (Entry& entry = entry_of(address, 0); is_present(entry.execution))
    clear(kObjectClocks + std::size_t{entry.clock} * detector.clock_width);
}

void fence_clock(int order) {
  order = counted(order);
  ThreadClocks& mine = clocks_of(self().index);
  if (acquires(order) && mine.has_seen) join(mine.now, mine.seen);
  if (!releases(order)) return;
  assign(mine.fenced, mine.now);
  mine.has_fenced = true;
  advance_epoch();
}

}  // namespace mazurka::runtime

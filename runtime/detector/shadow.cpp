// Three paths, from fast to slow. is_repetition(), inlined into the hooks, and touch_cell() skip an access that the
// thread has already made in its epoch. touch_alone() replaces the accesses of a cell that only the running thread has
// used. note_access() does the rest: it compares the access with all others in the cell, reports races, and drops what
// it replaces.
#include "runtime/detector/shadow.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/findings.hpp"
#include "runtime/detector/intended_races.hpp"
#include "runtime/detector/pages.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

namespace {

/// Further accesses, if a cell is full: a linked list.
struct Node {
  Access access;
  std::uint32_t next;
};
constexpr std::uint32_t kMaxNodes = 1U << 22;
Node* const kNodes = reinterpret_cast<Node*>(0x4700'0000'0000);

/// The value of a cell at the last checkpoint.
struct KeptCell {
  Cell* cell;
  Cell before;
};
constexpr std::uint32_t kMaxKept = 1U << 20;
struct Kept {
  std::uint32_t count;
  bool lost;
  KeptCell cells[kMaxKept];
};
Kept* const kKept = reinterpret_cast<Kept*>(0x4780'0000'0000);

/// The address ranges of the cells of memory and of pages.
struct Shadow {
  std::uint64_t address;
  std::uint64_t bytes;
};
constexpr Shadow kShadow[] = {{kArenaShadow, (kArenaEnd - kArena) * 4},
                              {kOtherShadow, kOtherBytes * 4},
                              {kArenaPages, (kArenaEnd - kArena) / kPage * sizeof(Cell)},
                              {kOtherPages, kOtherBytes / kPage * sizeof(Cell)},
                              {kArenaUsed, (kArenaEnd - kArena) / kPage * sizeof(std::uint32_t)},
                              {kOtherUsed, kOtherBytes / kPage * sizeof(std::uint32_t)}};

constexpr unsigned bit(Touch touch) { return 1U << static_cast<unsigned>(touch); }

/// The touches that an access conflicts with, as bits.
constexpr unsigned conflicts(Touch touch) {
  using enum Touch;
  switch (touch) {
    case AtomicRead: return bit(Write);
    case AtomicWrite: return bit(Write) | bit(Read);
    case Read: return bit(Write) | bit(AtomicWrite);
    default: return bit(Write) | bit(Read) | bit(AtomicWrite) | bit(AtomicRead);
  }
}

/// Whether everything that conflicts with `weak` also conflicts with `strong`.
constexpr bool covers(Touch strong, Touch weak) { return (conflicts(weak) & ~conflicts(strong)) == 0; }
static_assert(covers(Touch::Write, Touch::Read) && covers(Touch::Read, Touch::AtomicRead));
static_assert(!covers(Touch::AtomicWrite, Touch::Write) && !covers(Touch::Read, Touch::AtomicWrite));

std::uint32_t site_in_program(const void* place) {
  const auto value = reinterpret_cast<std::uint64_t>(place);
  return image.has_code(value) ? static_cast<std::uint32_t>(value - image.base) : 0;
}

/// Whether an access with `later` may replace one with `earlier`: not if its races are intended and the other's are
/// not.
constexpr bool counts_as(Intended later, Intended earlier) { return later == Intended::No || earlier != Intended::No; }

/// Checks a new access against an older one of the same bytes, and drops the bytes of the older that it replaces.
void compare(Access& old, const Access& now, std::uint64_t address, const void* place) {
  const auto common = static_cast<std::uint8_t>(old.bytes & now.bytes);
  if (common == 0) return;
  if (old.touch >= Touch::Freed) [[unlikely]]
    return report_bad_memory(old, now, address, place);
  const bool ordered = old.thread == now.thread || clocks_of(now.thread).now[old.thread] >= old.clock;
  if (!ordered) {
    if ((conflicts(now.touch) & bit(old.touch)) != 0 && !is_intended(old, now, address, place))
      report_race(old, now, address, place);
    return;
  }
  if (covers(now.touch, old.touch) && counts_as(now.intended, old.intended))
    old.bytes = static_cast<std::uint8_t>(old.bytes & ~now.bytes);
}

void keep_beside(Cell& cell, const Access& access) {
  for (std::uint32_t i = cell.more; i != 0; i = kNodes[i].next)
    if (kNodes[i].access.bytes == 0) {
      kNodes[i].access = access;
      return;
    }
  if (detector.node_count == kMaxNodes) unsupported("a race check with millions of concurrent accesses", self().site);
  kNodes[detector.node_count] = {access, cell.more};
  cell.more = detector.node_count++;
}

/// Copies the list of further accesses, which may be shared with a saved cell or a page cell.
void copy_beside(Cell& cell) {
  for (std::uint32_t* link = &cell.more; *link != 0; link = &kNodes[*link].next) {
    if (detector.node_count == kMaxNodes) unsupported("a race check with millions of concurrent accesses", self().site);
    kNodes[detector.node_count] = kNodes[*link];
    *link = detector.node_count++;
  }
}

/// Saves a cell of an earlier segment and moves it to this one.
void adopt(Cell& cell) {
  if (kKept->count < kMaxKept)
    kKept->cells[kKept->count++] = {&cell, cell};
  else
    kKept->lost = true;
  cell.execution = detector.execution;
  copy_beside(cell);
}

/// Call before a cell is overwritten whatever it holds.
void make_ours(Cell& cell, std::uint64_t address) {
  if (is_earlier_segment(cell.execution)) adopt(cell);
  cell.execution = detector.execution;
  note_used(address);
}

/// Initialises a cell from the page cell.
void take_from_page(Cell& cell, std::uint64_t address) {
  cell = page_cell_of(address);
  cell.execution = detector.execution;
  copy_beside(cell);
  note_used(address);
}

void add(Cell& cell, const Access& now) {
  Access& first = cell.accesses[0];
  Access& second = cell.accesses[1];
  if (first.bytes != 0) {
    if (second.bytes != 0) keep_beside(cell, second);
    second = first;
  }
  first = now;
}

/// An access to the whole page includes the watched address.
std::uint64_t watched_in(std::uint64_t page) {
  const std::uint64_t watched = worker.channel->watch.address;
  return watched - page < kPage ? watched : page;
}

/// Whether an access to the whole page may use the page cell: none of its bytes has a cell of its own.
bool page_is_whole(std::uint64_t page) {
  if (is_used(page)) return false;
  if (has_page_cell(page)) return true;
  if (beyond_heap(page + kPage - 1)) return false;
  detector.page_cells = true;
  return true;
}

/// Whether an address is in the shared segment or in the shadow memory, where the program has no business.
bool belongs_to_runtime(std::uint64_t address) {
  const auto is_in = [address](const void* begin, std::uint64_t bytes) {
    return address - reinterpret_cast<std::uint64_t>(begin) < bytes;
  };
  return is_in(worker.channel, sizeof(protocol::Channel)) || is_in(worker.processes, sizeof(protocol::Processes)) ||
         address - kArenaShadow < kPagesEnd - kArenaShadow;
}

/// An access to a stack. Other threads may use it while its thread lives, and end_stack() checks that their accesses
/// happen before its end. The main thread's is exempt: the process ends with it.
void note_stack_access(const Access& now, std::uint64_t address, const void* place) {
  const auto owner = slot_of(address);
  if (owner == now.thread || owner == 0) return;
  Thread& thread = threads.all[owner];
  if (thread.life == Life::Done) {
    const Access end{clocks_of(owner).now[owner], 0, static_cast<std::uint16_t>(owner), now.bytes, Touch::Freed};
    report_ended_stack(end, now, address, place);
  }
  const std::uint64_t begin = address & ~7ULL;
  if (thread.lent_end == 0 || begin < thread.lent_begin) thread.lent_begin = begin;
  if (begin + 8 > thread.lent_end) thread.lent_end = begin + 8;
}

/// Slow path of touch_cell(). Out of line, so that the fast path needs no stack frame.
__attribute__((noinline)) void note_access(Cell& cell, std::uint8_t bytes, Touch touch, std::uint64_t address,
                                           const void* place, bool known) {
  const std::uint32_t me = self().index;
  const Clock clock = clocks_of(me).now[me];
  Access& first = cell.accesses[0];
  const Access now{clock, site_in_program(place), static_cast<std::uint16_t>(me), bytes, touch, intended(touch, place)};
  const auto is_same = [&] {
    return first.thread == me && first.clock == clock && first.touch == touch && first.site == now.site &&
           first.intended == now.intended && first.bytes != 0;
  };
  if (detector.tracing) [[unlikely]]
    note_watched(now, address, place);
  // The next bytes of a loop over an array that nobody else has used.
  if (known && is_same() && touch < Touch::Freed && cell.execution == detector.execution && cell.more == 0 &&
      cell.accesses[1].bytes == 0) {
    first.bytes |= bytes;
    return;
  }
  const bool in_arena = is_in_arena(address);
  if (in_arena && is_on_stack(address)) note_stack_access(now, address, place);
  if (!known) {
    const bool is_page = &cell == &page_cell_of(address);
    if (!is_page && has_page_cell(address)) [[unlikely]] {
      take_from_page(cell, address);
      return touch_cell(cell, bytes, touch, address, place);
    }
    ++detector.cells_touched;
    if (in_arena) {
      const bool own = address - heap_bottom(me) < reinterpret_cast<std::uint64_t>(self().heap_top) - heap_bottom(me);
      if (!own && beyond_heap(address)) report_wild_access(now, address, place);
    } else if (belongs_to_runtime(address)) [[unlikely]] {
      if (touch == Touch::Write || touch == Touch::AtomicWrite) report_damage(now, address, place);
      return;  // stay unrecorded, so that a write after a read still gets here
    }
    if (!is_page) note_used(address);
    cell.execution = detector.execution;
    cell.more = 0;
    first = now;
    cell.accesses[1].bytes = 0;
    return;
  }
  if (cell.execution != detector.execution) adopt(cell);
  compare(first, now, address, place);
  compare(cell.accesses[1], now, address, place);
  for (std::uint32_t i = cell.more; i != 0; i = kNodes[i].next) compare(kNodes[i].access, now, address, place);
  if (is_same())
    first.bytes |= bytes;
  else
    add(cell, now);
}

/// Whether an access to all bytes of a cell replaces an older one of the same thread.
bool replaces(const Access& now, const Access& old) {
  return old.bytes == 0 || (old.thread == now.thread && old.touch < Touch::Freed && covers(now.touch, old.touch) &&
                            counts_as(now.intended, old.intended));
}

/// Fast path for an access to all bytes of a cell: succeeds if only the running thread has used them, as is the case
/// for most of what it allocates and frees. \pre is_ordinary().
bool touch_alone(Cell& cell, const Access& now, bool may_be_new) {
  if (cell.execution == detector.execution && cell.more == 0 && replaces(now, cell.accesses[0]) &&
      replaces(now, cell.accesses[1])) {
    if (now.touch < Touch::Freed && is_repetition(cell, 0xff, now.touch)) return true;
    cell.accesses[0] = now;
    cell.accesses[1].bytes = 0;
    return true;
  }
  if (!may_be_new || is_present(cell.execution)) return false;
  ++detector.cells_touched;
  cell = {detector.execution, 0, {now, {}}};
  return true;
}

/// Whether an access to a range needs nothing but the comparison of cells. In a heap, `last` is one past the end.
bool is_ordinary(std::uint64_t address, std::uint64_t last) {
  if (detector.tracing) return false;
  if (is_in_arena(address)) return !is_on_stack(address) && !beyond_heap(last);
  return !belongs_to_runtime(address) && !belongs_to_runtime(last);
}

/// Accesses whole cells, up to the end of a page.
void touch_cells(std::uint64_t address, std::uint64_t end, const Access& now, bool ordinary, const void* place) {
  const bool may_be_new = !has_page_cell(address);
  if (ordinary && may_be_new) note_used(address);
  for (; address < end; address += 8) {
    Cell& cell = cell_of(address);
    if (!ordinary || !touch_alone(cell, now, may_be_new)) touch_cell(cell, 0xff, now.touch, address, place);
  }
}

}  // namespace

void prepare_cells() {
  for (const auto [address, bytes] : kShadow) map_at(address, bytes);
  map_at(reinterpret_cast<std::uint64_t>(kNodes), kMaxNodes * sizeof(Node));
  map_at(reinterpret_cast<std::uint64_t>(kKept), sizeof(Kept));
}

void start_cells() {
  kKept->count = 0;
  kKept->lost = false;
  detector.page_cells = false;
  detector.node_count = 1;
}

void forget_cells() {
  for (const auto [address, bytes] : kShadow)
    raw_syscall(SYS_madvise, static_cast<long>(address), static_cast<long>(bytes), MADV_DONTNEED);
}

std::uint32_t cells_kept() { return kKept->count; }
bool all_cells_kept() { return !kKept->lost; }

void put_cells_back(std::uint32_t first) {
  while (kKept->count > first) {
    const KeptCell& kept = kKept->cells[--kKept->count];
    *kept.cell = kept.before;
  }
}

void touch_cell(Cell& cell, std::uint8_t bytes, Touch touch, std::uint64_t address, const void* place) {
  const std::uint32_t me = self().index;
  const Clock clock = clocks_of(me).now[me];
  Access& first = cell.accesses[0];
  const bool known = is_present(cell.execution);
  // Same thread, same epoch: the result would be the same.
  const auto said_already = [=](const Access& access) {
    return access.thread == me && access.clock == clock && (bytes & ~access.bytes) == 0 &&
           access.touch < Touch::Freed && touch < Touch::Freed && covers(access.touch, touch) &&
           (access.intended == Intended::No || intended(touch, place) != Intended::No);
  };
  if (known && (said_already(first) || said_already(cell.accesses[1]))) [[likely]]
    return;
  note_access(cell, bytes, touch, address, place, known);
}

void touch_range(const volatile void* pointer, std::uint64_t bytes, Touch touch, const void* place) {
  note_in_segment(pointer, bytes, touch);
  auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (scheduling.in_section) [[unlikely]]
    return touch_in_section(address, bytes, touch, place);
  if (bytes == 0) return;
  const std::uint32_t me = self().index;
  const Access now{clocks_of(me).now[me], site_in_program(place), static_cast<std::uint16_t>(me), 0xff, touch,
                   intended(touch, place)};
  const bool ordinary = is_ordinary(address, address + bytes - 1);
  while (bytes > 0) {
    if (address % kPage == 0 && bytes >= kPage && page_is_whole(address)) [[unlikely]] {
      Cell& page = page_cell_of(address);
      if (!ordinary || !touch_alone(page, now, true))
        touch_cell(page, 0xff, touch, detector.tracing ? watched_in(address) : address, place);
      ++worker.channel->touched;
      address += kPage;
      bytes -= kPage;
      continue;
    }
    const std::uint64_t offset = address & 7;
    std::uint64_t part = bytes < 8 - offset ? bytes : 8 - offset;
    if (part == 8) {
      const std::uint64_t in_page = kPage - address % kPage;
      part = (bytes < in_page ? bytes : in_page) & ~7ULL;
      touch_cells(address, address + part, now, ordinary, place);
    } else {
      touch_cell(cell_of(address), bytes_from(offset, part), touch, address, place);
    }
    address += part;
    bytes -= part;
  }
}

void guard_range(std::uint64_t address, std::uint64_t bytes, Touch touch, const void* place) {
  const std::uint32_t me = self().index;
  while (bytes > 0) {
    const std::uint64_t offset = address & 7;
    const std::uint64_t part = bytes < 8 - offset ? bytes : 8 - offset;
    const Cell& cell = known_cell(address);
    const Access now{clocks_of(me).now[me], site_in_program(place), static_cast<std::uint16_t>(me),
                     bytes_from(offset, part), touch};
    if (is_present(cell.execution)) {
      for (const Access& old : cell.accesses)
        if ((old.bytes & now.bytes) != 0 && old.touch >= Touch::Freed) report_bad_memory(old, now, address, place);
    } else if (beyond_heap(address)) {
      report_wild_access(now, address, place);
    }
    address += part;
    bytes -= part;
  }
}

void guard_stack(std::uint64_t address, Touch touch, const void* place) {
  const std::uint32_t me = self().index;
  const Access now{clocks_of(me).now[me], site_in_program(place), static_cast<std::uint16_t>(me),
                   bytes_from(address & 7, 1), touch};
  note_stack_access(now, address, place);
}

void end_stack() {
  Thread& thread = self();
  if (thread.lent_end == 0) return;
  touch_range(reinterpret_cast<void*>(thread.lent_begin), thread.lent_end - thread.lent_begin, Touch::Freed, nullptr);
}

void mark_gap(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t address = begin; address < end; address = (address & ~7ULL) + 8) {
    Cell& cell = cell_of(address);
    const std::uint64_t offset = address & 7;
    const std::uint64_t part = end - address < 8 - offset ? end - address : 8 - offset;
    make_ours(cell, address);
    cell.more = 0;
    // Use the second slot, and leave the first for the bytes before the gap.
    cell.accesses[0].bytes = 0;
    cell.accesses[1] = Access{0, 0, static_cast<std::uint16_t>(self().index), bytes_from(offset, part), Touch::Gap};
  }
}

void mark_freed(std::uint64_t begin, std::uint64_t bytes, const void* place) {
  const std::uint32_t me = self().index;
  Access now{clocks_of(me).now[me], site_in_program(place), static_cast<std::uint16_t>(me), 0, Touch::Freed};
  for (std::uint64_t address = begin; address < begin + bytes; address += 8) {
    if (address % kPage == 0 && begin + bytes - address >= kPage && page_is_whole(address)) {
      now.bytes = 0xff;
      if (detector.tracing) note_watched(now, watched_in(address), place);
      Cell& page = page_cell_of(address);
      if (is_earlier_segment(page.execution)) adopt(page);
      page = {detector.execution, 0, {now, {}}};
      ++worker.channel->touched;
      address += kPage - 8;
      continue;
    }
    now.bytes = bytes_from(0, begin + bytes - address < 8 ? begin + bytes - address : 8);
    if (detector.tracing) note_watched(now, address, place);
    Cell& cell = cell_of(address);
    const bool gap = is_present(cell.execution) && cell.accesses[1].touch == Touch::Gap;
    make_ours(cell, address);
    cell.more = 0;
    cell.accesses[0] = now;
    if (!gap) cell.accesses[1].bytes = 0;
  }
}

void mark_used_again(std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t end = (begin + (bytes == 0 ? 1 : bytes) + 15) & ~15ULL;
  for (std::uint64_t address = begin; address < end; address += 8) {
    Cell& cell = cell_of(address);
    make_ours(cell, address);
    cell.more = 0;
    cell.accesses[0].bytes = cell.accesses[1].bytes = 0;
  }
  mark_gap(begin + bytes, end);
}

}  // namespace mazurka::runtime

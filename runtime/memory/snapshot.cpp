#include "runtime/memory/snapshot.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/posix/thread_exit.hpp"
#include "runtime/scheduling/sampling.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

Memory memory;

namespace {

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};

constexpr std::uint32_t kMaxRanges = 4096 + 2 * protocol::kMaxProcesses;  // each thread adds its TLS
constexpr std::uint32_t kMaxHot = 1U << 20;

/// On pages of its own, like all state of the runtime.
struct alignas(4096) Snapshot {
  HotPage* hot;
  std::uint8_t* saved;  // saved contents of the hot pages, same order
  std::uint32_t hot_count;
  std::uint32_t always_hot;  // the first `always_hot` pages are hot permanently
  std::uint32_t range_count;
  std::uint64_t stack;  // the process stack belongs to the program from here up; 0: not at all
  Range ranges[kMaxRanges];
};
Snapshot snapshot;

constexpr std::uint64_t page_of(std::uint64_t address) { return address & ~(kPage - 1); }

[[noreturn]] void give_up(const char* what) { fail(FailureKind::Snapshot, what, 0); }

void* need_memory(std::uint64_t bytes) {
  void* result = map_anywhere(bytes);
  if (result == nullptr) give_up("no memory for the snapshot");
  return result;
}

void protect(std::uint64_t begin, std::uint64_t end, int protection) {
  if (raw_syscall(SYS_mprotect, static_cast<long>(begin), static_cast<long>(end - begin), protection) != 0)
    give_up("a page cannot be protected: too many mappings (see /proc/sys/vm/max_map_count)");
}

void add_range(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  if (snapshot.range_count == kMaxRanges) give_up("the program has too many mappings");
  snapshot.ranges[snapshot.range_count++] = {begin, end};
}

/// Adds [begin, end) except for the holes.
void add_without(std::uint64_t begin, std::uint64_t end, const Range* holes, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [from, to] = holes[i];
    if (to <= begin || from >= end) continue;
    add_without(begin, from, holes + i + 1, count - i - 1);
    begin = to;
    if (begin >= end) return;
  }
  add_range(begin, end);
}

template <class T>
Range pages_of(const T& object) {
  const auto begin = reinterpret_cast<std::uint64_t>(&object);
  return {begin, begin + sizeof object};
}

/// Offset of the program's data in a page: on a donor's first TLS page they start in the middle.
std::uint32_t first_byte(std::uint64_t page) {
  if (page < slot_base(1) || page >= slot_base(kBootSlot) || offset_in_slot(page) >= kDonorBytes) return 0;
  const std::uint64_t thread_pointer = threads.slots[slot_of(page)].thread_pointer;
  const std::uint64_t begin = (thread_pointer - memory.static_tls_bytes) & ~63ULL;
  return begin > page && begin < page + kPage ? static_cast<std::uint32_t>(begin - page) : 0;
}

void make_hot(std::uint64_t page) {
  const std::uint32_t begin = first_byte(page);
  copy_bytes(snapshot.saved + snapshot.hot_count * kPage, reinterpret_cast<void*>(page), kPage);
  snapshot.hot[snapshot.hot_count++] = {page, begin, static_cast<std::uint32_t>(kPage) - begin};
}

/// One line of /proc/self/maps: `begin-end perms offset device inode path`.
void add_mapping(const char* line, const Range* holes, std::uint32_t count) {
  const auto hex = [&line] {
    std::uint64_t value = 0;
    for (;; ++line) {
      const char c = *line;
      if (c >= '0' && c <= '9')
        value = value * 16 + static_cast<std::uint64_t>(c - '0');
      else if (c >= 'a' && c <= 'f')
        value = value * 16 + static_cast<std::uint64_t>(c - 'a' + 10);
      else
        return value;
    }
  };
  const std::uint64_t begin = hex();
  ++line;
  const std::uint64_t end = hex();
  const bool writable = line[2] == 'w';
  const bool is_private = line[4] == 'p';
  if (!writable || !is_private) return;
  if (begin >= kArena && begin < kArenaEnd) return;  // stacks and heaps; donors are added by add_to_snapshot()
  for (const char* p = line; *p != 0; ++p)
    if (p[0] == '[' && p[1] == 's' && p[2] == 't') {  // [stack]: the driver runs on it
      if (snapshot.stack != 0) add_range(snapshot.stack, end);
      return;
    }
  add_without(begin, end, holes, count);
}

}  // namespace

void add_to_snapshot(std::uint64_t begin, std::uint64_t end) {
  add_range(begin, end);
  if (snapshot.saved != nullptr) protect(begin, end, PROT_READ);  // otherwise take_snapshot() does
}

void keep_stack_from(std::uint64_t page) { snapshot.stack = page; }

void forget_snapshot() { snapshot.range_count = 0; }

void take_snapshot() {
  snapshot.hot = static_cast<HotPage*>(need_memory(kMaxHot * sizeof(HotPage)));
  snapshot.saved = static_cast<std::uint8_t*>(need_memory(kMaxHot * kPage));
  const auto hot = reinterpret_cast<std::uint64_t>(snapshot.hot);
  const auto saved = reinterpret_cast<std::uint64_t>(snapshot.saved);

  // Read the whole list of mappings before protecting any, which would change the list.
  constexpr std::uint64_t kText = 4U << 20;
  char* text = static_cast<char*>(need_memory(kText));
  const auto text_begin = reinterpret_cast<std::uint64_t>(text);
  // With rseq registered, the kernel writes to the main thread's control block and kills the process if that page is
  // read-only. So these pages are permanently hot.
  Range control{page_of(scheduling.main_thread_pointer),
                page_of(scheduling.main_thread_pointer + kControlBlock) + kPage};
  if (memory.rseq_left) control.end = control.begin;
  const Range holes[] = {control,
                         pages_of(scheduling),
                         pages_of(choices),
                         pages_of(sampling),
                         pages_of(threads),
                         pages_of(current_section),
                         pages_of(plain_stacks),
                         pages_of(detector),
                         pages_of(memory),
                         pages_of(worker),
                         pages_of(snapshot),
                         {hot, hot + kMaxHot * sizeof(HotPage)},
                         {saved, saved + kMaxHot * kPage},
                         {text_begin, text_begin + kText}};
  const long file = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (file < 0) give_up("/proc/self/maps cannot be read");
  std::uint64_t length = 0;
  for (;;) {
    const long got =
        raw_syscall(SYS_read, file, static_cast<long>(text_begin + length), static_cast<long>(kText - 1 - length));
    if (got <= 0) break;
    length += static_cast<std::uint64_t>(got);
  }
  raw_syscall(SYS_close, file);
  for (char *line = text, *end = text + length; line < end;) {
    char* next = line;
    while (next < end && *next != '\n') ++next;
    *next = 0;
    add_mapping(line, holes, sizeof holes / sizeof *holes);
    line = next + 1;
  }
  add_range(boot_heap_bottom(), boot_heap_top());
  for (std::uint64_t page = control.begin; page < control.end; page += kPage) make_hot(page);
  snapshot.always_hot = snapshot.hot_count;
  for (std::uint32_t i = 0; i < snapshot.range_count; ++i)
    protect(snapshot.ranges[i].begin, snapshot.ranges[i].end, PROT_READ);
  raw_syscall(SYS_munmap, static_cast<long>(text_begin), kText);
}

bool page_written(std::uint64_t address) {
  for (std::uint32_t i = 0; i < snapshot.range_count; ++i) {
    if (address < snapshot.ranges[i].begin || address >= snapshot.ranges[i].end) continue;
    if (snapshot.hot_count == kMaxHot) return false;
    const std::uint64_t page = page_of(address);
    make_hot(page);
    protect(page, page + kPage, PROT_READ | PROT_WRITE);
    return true;
  }
  return false;
}

void touch(void* buffer, std::uint64_t bytes) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uint64_t>(buffer);
  for (std::uint64_t page = page_of(begin); page < begin + bytes; page += kPage) {
    auto* byte = reinterpret_cast<volatile std::uint8_t*>(page < begin ? begin : page);
    *byte = *byte;
  }
}

void restore_snapshot(std::uint32_t first) {
  const std::uint8_t* saved = snapshot.saved + first * kPage;
  for (std::uint32_t i = first; i < snapshot.hot_count; ++i, saved += kPage) {
    const auto [address, begin, bytes] = snapshot.hot[i];
    copy_bytes(reinterpret_cast<void*>(address + begin), saved + begin, bytes);
  }
}

void renew_snapshot() {
  for (std::uint32_t i = 0; i < snapshot.hot_count; ++i) {
    const std::uint64_t page = snapshot.hot[i].address;
    if (i < snapshot.always_hot)
      copy_bytes(snapshot.saved + i * kPage, reinterpret_cast<void*>(page), kPage);
    else
      protect(page, page + kPage, PROT_READ);
  }
  snapshot.hot_count = snapshot.always_hot;
}

std::uint32_t hot_pages() { return snapshot.hot_count; }
const HotPage& hot_page(std::uint32_t number) { return snapshot.hot[number]; }
const std::uint8_t* saved_page(std::uint32_t number) { return snapshot.saved + number * kPage; }

}  // namespace mazurka::runtime

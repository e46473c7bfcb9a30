// mmap: anonymous private memory comes from the running thread's heap, so that its address depends on that thread alone
// and it disappears with the execution. File contents are mapped there too.
//
// What drops contents (madvise(), mmap() over used memory) counts as a write of the range. Other changes of mappings
// are no accesses that the detector or the scheduler sees, and the snapshot does not undo them: they are refused.
#include "runtime/memory/memory_map.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/states.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

bool is_open_for_writing(int file) {
  const long flags = raw_syscall(SYS_fcntl, file, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

bool is_explored() { return scheduling.exploring && !worker.standalone; }

/// Whether an explorer will restore the program's memory. Constructors of libraries run before the channel is open.
bool will_be_explored() {
  return worker.channel != nullptr ? !worker.standalone : environment(protocol::kChannelVariable) != nullptr;
}

bool is_in_arena(const void* address) {
  const auto place = reinterpret_cast<std::uint64_t>(address);
  return place >= kArena && place < kArenaEnd;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) & ~(kPage - 1); }

/// Zeroes anonymous memory. Pages that are zero are not written: the program may never have used them.
void drop_contents(void* address, std::size_t bytes, const Caller& caller) {
  bytes = whole_pages(bytes);
  if (lives_may_race()) use_argument(true, address, bytes, caller);
  auto* const begin = static_cast<std::uint8_t*>(address);
  for (auto* page = begin; page < begin + bytes; page += kPage)
    for (std::size_t i = 0; i < kPage; i += sizeof(std::uint64_t))
      if (*reinterpret_cast<const volatile std::uint64_t*>(page + i) != 0) {
        zero_bytes(page, kPage);
        break;
      }
}

/// Moves anonymous memory, or gives back its end.
void* resize(void* address, std::size_t bytes, std::size_t wanted, const Caller& caller) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  bytes = whole_pages(bytes);
  wanted = whole_pages(wanted);
  if (wanted <= bytes) {
    release_pages(begin + wanted, bytes - wanted, caller.address, caller.site());
    return address;
  }
  void* const moved = allocate(wanted, kPage);
  if (moved == nullptr) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  use_argument(false, address, bytes, caller);
  copy_bytes(moved, address, bytes);
  release_pages(begin, bytes, caller.address, caller.site());
  return moved;
}

}  // namespace

int advise(void* address, std::size_t bytes, int advice, const Caller& caller) {
  const bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
  if (drops && is_explored()) {
    refuse_without_state("madvise() that drops contents", caller.site());
    if (is_in_arena(address) && reinterpret_cast<std::uint64_t>(address) % kPage == 0) {
      drop_contents(address, bytes, caller);
      return 0;
    }
    if (lives_may_race()) use_argument(true, address, whole_pages(bytes), caller);
  }
  return static_cast<int>(
      or_errno(raw_syscall(SYS_madvise, reinterpret_cast<long>(address), static_cast<long>(bytes), advice)));
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  // There is no other process to share it with. As private memory it is restored if a constructor has mapped it.
  if ((flags & MAP_ANONYMOUS) != 0 && (flags & MAP_TYPE) == MAP_SHARED && will_be_explored())
    flags = (flags & ~MAP_TYPE) | MAP_PRIVATE;
  if (scheduling.exploring && (flags & MAP_FIXED) == 0 && (flags & MAP_ANONYMOUS) != 0 &&
      protection == (PROT_READ | PROT_WRITE)) {
    void* pages = allocate((bytes + kPage - 1) & ~(kPage - 1), kPage);
    if (pages != nullptr) return pages;
    errno = ENOMEM;
    return MAP_FAILED;
  }
  refuse_without_state("mmap() of other than anonymous memory", MAZURKA_SITE);
  if ((flags & MAP_FIXED) != 0 && is_explored()) {
    if (is_in_arena(address) && (flags & MAP_ANONYMOUS) != 0 && protection == (PROT_READ | PROT_WRITE)) {
      drop_contents(address, bytes, MAZURKA_CALLER);
      return address;
    }
    if (is_in_arena(address) || lives_may_race()) unsupported("mmap() with MAP_FIXED over used memory", MAZURKA_SITE);
  }
  // Stores to the mapping would change the file unobserved.
  if (scheduling.exploring && !worker.standalone && (flags & MAP_SHARED) != 0 && (flags & MAP_ANONYMOUS) == 0 &&
      is_open_for_writing(file))
    unsupported("mmap() with MAP_SHARED of a file that is open for writing", MAZURKA_SITE);
  const long result =
      raw_syscall(SYS_mmap, reinterpret_cast<long>(address), static_cast<long>(bytes), protection, flags, file, offset);
  return reinterpret_cast<void*>(or_errno(result));  // MAP_FAILED is -1
}
MAZURKA_REPLACEABLE void* mmap64(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  return mazurka_own_mmap(address, bytes, protection, flags, file, offset);
}
MAZURKA_REPLACEABLE int mprotect(void* address, std::size_t bytes, int protection) {
  if (is_explored()) {
    // To give rights back is a write: whoever used the memory before would have died.
    const bool gives = protection == (PROT_READ | PROT_WRITE);
    if (gives && is_in_arena(address)) return 0;  // it has them
    if (gives && lives_may_race()) MAZURKA_WRITES(address, whole_pages(bytes));
    if (!gives && (lives_may_race() || worker.channel->settings.isolation == mazurka::protocol::Isolation::Memory))
      unsupported("mprotect()", MAZURKA_SITE);
  }
  return static_cast<int>(
      or_errno(raw_syscall(SYS_mprotect, reinterpret_cast<long>(address), static_cast<long>(bytes), protection)));
}
MAZURKA_REPLACEABLE void* mremap(void* address, std::size_t bytes, std::size_t wanted, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const long new_address = (flags & MREMAP_FIXED) != 0 ? reinterpret_cast<long>(va_arg(list, void*)) : 0;
  va_end(list);
  if (is_explored()) {
    if (is_in_arena(address) && bytes != 0 && wanted != 0 && flags == MREMAP_MAYMOVE)
      return resize(address, bytes, wanted, MAZURKA_CALLER);
    if (is_in_arena(address) || lives_may_race()) unsupported("mremap()", MAZURKA_SITE);
  }
  return reinterpret_cast<void*>(
      or_errno(raw_syscall(SYS_mremap, reinterpret_cast<long>(address), static_cast<long>(bytes),
                           static_cast<long>(wanted), flags, new_address)));
}
MAZURKA_REPLACEABLE int madvise(void* address, std::size_t bytes, int advice) {
  return advise(address, bytes, advice, MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE int munmap(void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  if (begin >= kArena && begin < kArenaEnd) {
    // The memory itself is reset with the execution.
    release_pages(begin, (bytes + kPage - 1) & ~(kPage - 1), __builtin_return_address(0), MAZURKA_SITE);
    return 0;
  }
  return static_cast<int>(or_errno(raw_syscall(SYS_munmap, static_cast<long>(begin), static_cast<long>(bytes))));
}
MAZURKA_DEFINE_OWN_CALL(mmap);

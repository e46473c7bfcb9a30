// mmap: anonymous private memory comes from the running thread's heap, so that its address depends on that thread alone
// and it disappears with the execution. File contents are mapped there too.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/states.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

using namespace mazurka::runtime;

namespace {

bool is_open_for_writing(int file) {
  const long flags = raw_syscall(SYS_fcntl, file, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

}  // namespace

MAZURKA_REPLACEABLE void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (scheduling.exploring && (flags & MAP_FIXED) == 0 && (flags & MAP_ANONYMOUS) != 0 &&
      protection == (PROT_READ | PROT_WRITE)) {
    void* pages = allocate((bytes + kPage - 1) & ~(kPage - 1), kPage);
    if (pages != nullptr) return pages;
    errno = ENOMEM;
    return MAP_FAILED;
  }
  refuse_without_state("mmap() of other than anonymous memory", MAZURKA_SITE);
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

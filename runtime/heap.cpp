#include "runtime/heap.hpp"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/outcome.hpp"
#include "runtime/scheduler.hpp"

namespace mazurka::runtime {
namespace {

/// Stands before every block.
struct Header {
  std::uint64_t bytes;
  std::uint32_t state;
  std::uint32_t offset;  // from the start of the allocation to the block
};
static_assert(sizeof(Header) == 16);
constexpr std::uint32_t kLive = 0x4c495645;
constexpr std::uint32_t kFreed = 0x46524545;

constexpr std::uint64_t kBootBytes = 1U << 30;

// The boot heap is used before any constructor has run, so it sets itself up at the first allocation.
std::uint8_t* boot_top;
bool booted;

std::uint8_t* map(std::uint64_t address, std::uint64_t bytes) {
  const long result =
      raw_syscall(SYS_mmap, static_cast<long>(address), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return result == static_cast<long>(address) ? reinterpret_cast<std::uint8_t*>(result) : nullptr;
}

std::uint8_t* take_bytes(std::size_t bytes, std::size_t alignment) {
  if (!booted) {
    if (boot_top == nullptr && (boot_top = map(slot_base(kBootSlot), kBootBytes)) == nullptr) return nullptr;
    const auto start = (reinterpret_cast<std::uint64_t>(boot_top) + alignment - 1) & ~(alignment - 1);
    if (start + bytes > slot_base(kBootSlot) + kBootBytes) return nullptr;
    boot_top = reinterpret_cast<std::uint8_t*>(start + bytes);
    return reinterpret_cast<std::uint8_t*>(start);
  }
  Thread& thread = self();
  const auto start = (reinterpret_cast<std::uint64_t>(thread.heap_top) + alignment - 1) & ~(alignment - 1);
  if (bytes > kStride || start + bytes > heap_end(thread.index)) return nullptr;
  thread.heap_top = reinterpret_cast<std::uint8_t*>(start + bytes);
  return reinterpret_cast<std::uint8_t*>(start);
}

Header* header(void* block) { return static_cast<Header*>(block) - 1; }

void release(void* block, std::uint64_t site) {
  if (block == nullptr) return;
  const auto address = reinterpret_cast<std::uint64_t>(block);
  if (address < kArena || address >= kArenaEnd || header(block)->state != kLive) {
    const bool twice = address >= kArena && address < kArenaEnd && header(block)->state == kFreed;
    message() << (twice ? "freed twice: " : "freed, but never allocated: ") << block;
    fail(twice ? "double-free" : "invalid-free", g.channel->message, site);
  }
  header(block)->state = kFreed;
}

}  // namespace

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (alignment < 16) alignment = 16;
  std::uint8_t* start = take_bytes(sizeof(Header), 16);
  if (start == nullptr) return nullptr;
  std::uint8_t* block = take_bytes(bytes == 0 ? 1 : bytes, alignment);
  if (block == nullptr) return nullptr;
  *header(block) = {bytes, kLive, static_cast<std::uint32_t>(block - start)};
  return block;
}

void* allocate_pages(std::size_t bytes) { return take_bytes((bytes + kPage - 1) & ~(kPage - 1), kPage); }

void reset_heap(std::uint32_t index) {
  Thread& thread = tables.threads[index];
  auto* bottom = reinterpret_cast<std::uint8_t*>(heap_bottom(index));
  const auto used = static_cast<std::uint64_t>(thread.heap_top - bottom);
  constexpr std::uint64_t kLarge = 256 * kPage;  // from here on giving the pages back is cheaper than zeroing them
  if (used == 0) return;
  if (used <= 512) {
    // Blocks are multiples of sixteen bytes, and a string instruction takes longer than this.
    for (std::uint64_t i = 0; i < (used + 15) / 16 * 2; ++i) reinterpret_cast<volatile std::uint64_t*>(bottom)[i] = 0;
  } else if (used <= kLarge) {
    zero_bytes(bottom, used);
  } else {
    zero_bytes(bottom, kLarge);
    const std::uint64_t rest = (heap_bottom(index) & ~(kPage - 1)) + kLarge;
    raw_syscall(SYS_madvise, static_cast<long>(rest), static_cast<long>((used + kPage) & ~(kPage - 1)), MADV_DONTNEED);
  }
  thread.heap_top = bottom;
}

void leave_boot_heap() { booted = true; }
std::uint64_t boot_heap_bottom() { return slot_base(kBootSlot); }
std::uint64_t boot_heap_top() { return (reinterpret_cast<std::uint64_t>(boot_top) + kPage - 1) & ~(kPage - 1); }

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT void* malloc(std::size_t bytes) {
  void* block = allocate(bytes);
  if (block == nullptr) errno = ENOMEM;
  return block;
}

MAZURKA_EXPORT void free(void* block) { release(block, MAZURKA_SITE); }
MAZURKA_EXPORT void cfree(void* block) { release(block, MAZURKA_SITE); }

// What a heap hands out is zero at the start of every execution and never handed out twice: no need to clear it.
MAZURKA_EXPORT void* calloc(std::size_t count, std::size_t size) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return malloc(bytes);
}

MAZURKA_EXPORT void* realloc(void* block, std::size_t bytes) {
  if (block == nullptr) return malloc(bytes);
  if (bytes == 0) {
    release(block, MAZURKA_SITE);
    return nullptr;
  }
  const std::size_t old = header(block)->bytes;
  void* moved = malloc(bytes);
  if (moved == nullptr) return nullptr;
  copy_bytes(moved, block, old < bytes ? old : bytes);
  release(block, MAZURKA_SITE);
  return moved;
}

MAZURKA_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

MAZURKA_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return nullptr;
  }
  void* block = allocate(bytes, alignment);
  if (block == nullptr) errno = ENOMEM;
  return block;
}
MAZURKA_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
MAZURKA_EXPORT void* valloc(std::size_t bytes) { return memalign(kPage, bytes); }
MAZURKA_EXPORT void* pvalloc(std::size_t bytes) { return memalign(kPage, (bytes + kPage - 1) & ~(kPage - 1)); }
MAZURKA_EXPORT int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* block = allocate(bytes, alignment);
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}
MAZURKA_EXPORT std::size_t malloc_usable_size(void* block) { return block == nullptr ? 0 : header(block)->bytes; }
MAZURKA_EXPORT int malloc_trim(std::size_t) { return 0; }

// The allocation functions of C, and the operators of C++. Without the latter, allocations would come through
// libstdc++, which hides their site. A program that defines its own operators keeps them.
#include <errno.h>
#include <string.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/heap_blocks.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/posix/c_library.hpp"

using namespace mazurka::runtime;

#define MAZURKA_PLACE __builtin_return_address(0)
#define MAZURKA_FRAME __builtin_frame_address(0)

namespace {

void* or_no_memory(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

void* resize(void* block, std::size_t bytes, const void* place, const void* frame) {
  if (block == nullptr) return or_no_memory(allocate_at(bytes, 16, place));
  if (bytes == 0 || header_of(block)->state != kLive) {
    release_block(block, place, frame);
    return nullptr;
  }
  const std::size_t old = header_of(block)->bytes;
  void* moved = or_no_memory(allocate_at(bytes, 16, place));
  if (moved == nullptr) return nullptr;
  announce_release(block, place, frame);
  copy_bytes(moved, block, old < bytes ? old : bytes);
  release_announced(block, place, frame);
  return moved;
}

bool is_power_of_two(std::size_t number) { return number != 0 && (number & (number - 1)) == 0; }

void* aligned(std::size_t alignment, std::size_t bytes, const void* place) {
  if (is_power_of_two(alignment)) return or_no_memory(allocate_at(bytes, alignment, place));
  errno = EINVAL;
  return nullptr;
}

/// Lets libstdc++ handle the lack of memory: its operator new calls malloc again and throws.
void* or_throw(void* block, std::size_t bytes) {
  if (block != nullptr) return block;
  return reinterpret_cast<void* (*)(std::size_t)>(next_function("_Znwm"))(bytes);
}

}  // namespace

MAZURKA_REPLACEABLE void* malloc(std::size_t bytes) { return or_no_memory(allocate_at(bytes, 16, MAZURKA_PLACE)); }
MAZURKA_REPLACEABLE void free(void* block) { release_block(block, MAZURKA_PLACE, MAZURKA_FRAME); }
MAZURKA_REPLACEABLE void cfree(void* block) { release_block(block, MAZURKA_PLACE, MAZURKA_FRAME); }

// The heap only hands out zeroed memory: nothing to clear.
MAZURKA_REPLACEABLE void* calloc(std::size_t count, std::size_t size) {
  std::size_t bytes;
  return or_no_memory(__builtin_mul_overflow(count, size, &bytes) ? nullptr : allocate_at(bytes, 16, MAZURKA_PLACE));
}

MAZURKA_REPLACEABLE void* realloc(void* block, std::size_t bytes) {
  return resize(block, bytes, MAZURKA_PLACE, MAZURKA_FRAME);
}

MAZURKA_REPLACEABLE void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return or_no_memory(nullptr);
  return resize(block, bytes, MAZURKA_PLACE, MAZURKA_FRAME);
}

MAZURKA_REPLACEABLE void* memalign(std::size_t alignment, std::size_t bytes) {
  return aligned(alignment, bytes, MAZURKA_PLACE);
}
MAZURKA_REPLACEABLE void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return aligned(alignment, bytes, MAZURKA_PLACE);
}
MAZURKA_REPLACEABLE void* valloc(std::size_t bytes) { return aligned(kPage, bytes, MAZURKA_PLACE); }
MAZURKA_REPLACEABLE void* pvalloc(std::size_t bytes) {
  return aligned(kPage, (bytes + kPage - 1) & ~(kPage - 1), MAZURKA_PLACE);
}
MAZURKA_REPLACEABLE int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  if (alignment < sizeof(void*) || !is_power_of_two(alignment)) return EINVAL;
  void* block = allocate_at(bytes, alignment, MAZURKA_PLACE);
  if (block == nullptr) return ENOMEM;
  MAZURKA_WRITES(result, sizeof *result);
  *result = block;
  return 0;
}
MAZURKA_REPLACEABLE std::size_t malloc_usable_size(void* block) {
  return block == nullptr ? 0 : header_of(block)->bytes;
}
MAZURKA_REPLACEABLE int malloc_trim(std::size_t) { return 0; }

// The mangled names of the operators: gcc would check the declared types of the real names.
#define MAZURKA_OPERATOR extern "C" __attribute__((weak, visibility("default")))
#define MAZURKA_NEW(NAME)                                                                                             \
  MAZURKA_OPERATOR void* NAME(std::size_t bytes) { return or_throw(allocate_at(bytes, 16, MAZURKA_PLACE), bytes); }   \
  MAZURKA_OPERATOR void* NAME##RKSt9nothrow_t(std::size_t bytes, const void*) {                                       \
    return allocate_at(bytes, 16, MAZURKA_PLACE);                                                                     \
  }                                                                                                                   \
  MAZURKA_OPERATOR void* NAME##St11align_val_t(std::size_t bytes, std::size_t alignment) {                            \
    return or_throw(allocate_at(bytes, alignment, MAZURKA_PLACE), bytes);                                             \
  }                                                                                                                   \
  MAZURKA_OPERATOR void* NAME##St11align_val_tRKSt9nothrow_t(std::size_t bytes, std::size_t alignment, const void*) { \
    return allocate_at(bytes, alignment, MAZURKA_PLACE);                                                              \
  }
#define MAZURKA_DELETE_AS(NAME, ...) \
  MAZURKA_OPERATOR void NAME(void* block __VA_ARGS__) { release_block(block, MAZURKA_PLACE, MAZURKA_FRAME); }
#define MAZURKA_COMMA ,
#define MAZURKA_DELETE(NAME)                                                                       \
  MAZURKA_DELETE_AS(NAME##Pv)                                                                      \
  MAZURKA_DELETE_AS(NAME##Pvm, MAZURKA_COMMA std::size_t)                                          \
  MAZURKA_DELETE_AS(NAME##PvRKSt9nothrow_t, MAZURKA_COMMA const void*)                             \
  MAZURKA_DELETE_AS(NAME##PvSt11align_val_t, MAZURKA_COMMA std::size_t)                            \
  MAZURKA_DELETE_AS(NAME##PvmSt11align_val_t, MAZURKA_COMMA std::size_t MAZURKA_COMMA std::size_t) \
  MAZURKA_DELETE_AS(NAME##PvSt11align_val_tRKSt9nothrow_t, MAZURKA_COMMA std::size_t MAZURKA_COMMA const void*)

MAZURKA_NEW(_Znwm)
MAZURKA_NEW(_Znam)
MAZURKA_DELETE(_Zdl)
MAZURKA_DELETE(_Zda)

// Functions of the C library that read or write ranges of bytes. All calls get here, also those of uninstrumented
// libraries.
#include <string.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/worker/worker.hpp"

using namespace mazurka::runtime;

namespace {

void check(bool write, const void* address, std::size_t bytes, const void* place) {
  if (!detector.checking) [[likely]]
    return;
  touch_range(address, bytes, write ? Touch::Write : Touch::Read, place);
  clean_a_little();
}

void move(void* to, const void* from, std::size_t bytes) {
  const auto distance = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  if (distance >= bytes) {
    copy_bytes(to, from, bytes);
  } else {
    auto* end = static_cast<volatile std::uint8_t*>(to) + bytes;
    const auto* source = static_cast<const std::uint8_t*>(from) + bytes;
    while (bytes-- > 0) *--end = *--source;
  }
}

/// Fills memory, and reports progress to the watchdog now and then.
void fill(void* to, int value, std::size_t bytes) {
  constexpr std::size_t kPart = std::size_t{1} << 24;
  while (bytes > 0) {
    std::size_t part = bytes < kPart ? bytes : kPart;
    bytes -= part;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(part) : "a"(value) : "memory");
    if (bytes > 0 && worker.channel != nullptr) ++worker.channel->touched;
  }
}

}  // namespace

// The functions that compilers call, and clang's names for them in instrumented code.
#define MAZURKA_COPY(NAME, HOW)                                                   \
  MAZURKA_REPLACEABLE void* NAME(void* to, const void* from, std::size_t bytes) { \
    if (is_visible()) [[unlikely]] {                                              \
      visible_copy(to, from, bytes, MAZURKA_SITE);                                \
      return to;                                                                  \
    }                                                                             \
    check(false, from, bytes, __builtin_return_address(0));                       \
    check(true, to, bytes, __builtin_return_address(0));                          \
    HOW(to, from, bytes);                                                         \
    return to;                                                                    \
  }
#define MAZURKA_FILL(NAME)                                                     \
  MAZURKA_REPLACEABLE void* NAME(void* to, int value, std::size_t bytes) {     \
    if (is_visible()) [[unlikely]] {                                           \
      visible_fill(to, static_cast<std::uint8_t>(value), bytes, MAZURKA_SITE); \
      return to;                                                               \
    }                                                                          \
    check(true, to, bytes, __builtin_return_address(0));                       \
    fill(to, value, bytes);                                                    \
    return to;                                                                 \
  }

MAZURKA_COPY(memcpy, copy_bytes)
MAZURKA_COPY(memmove, move)
MAZURKA_FILL(memset)
MAZURKA_COPY(__tsan_memcpy, copy_bytes)
MAZURKA_COPY(__tsan_memmove, move)
MAZURKA_FILL(__tsan_memset)

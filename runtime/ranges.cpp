// Functions of the C library that read or write whole ranges. Calls from everywhere end here, also from libraries that
// are not instrumented.
#include <string.h>

#include "runtime/plain.hpp"
#include "runtime/scheduler.hpp"

namespace mazurka::runtime {
namespace {

bool visible() { return g.plain_explore && g.exploring; }

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) {
  if (visible()) [[unlikely]] {
    visible_range(false, from, bytes, MAZURKA_SITE);
    visible_range(true, to, bytes, MAZURKA_SITE);
  }
  copy_bytes(to, from, bytes);
  return to;
}

MAZURKA_EXPORT void* memmove(void* to, const void* from, std::size_t bytes) {
  if (visible()) [[unlikely]] {
    visible_range(false, from, bytes, MAZURKA_SITE);
    visible_range(true, to, bytes, MAZURKA_SITE);
  }
  const auto distance = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  if (distance >= bytes) {
    copy_bytes(to, from, bytes);
  } else {
    auto* end = static_cast<volatile std::uint8_t*>(to) + bytes;
    const auto* source = static_cast<const std::uint8_t*>(from) + bytes;
    while (bytes-- > 0) *--end = *--source;
  }
  return to;
}

MAZURKA_EXPORT void* memset(void* to, int value, std::size_t bytes) {
  if (visible()) [[unlikely]]
    visible_range(true, to, bytes, MAZURKA_SITE);
  void* place = to;
  __asm__ volatile("rep stosb" : "+D"(place), "+c"(bytes) : "a"(value) : "memory");
  return to;
}

MAZURKA_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) { return memcpy(to, from, bytes); }
MAZURKA_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t bytes) { return memmove(to, from, bytes); }
MAZURKA_EXPORT void* __tsan_memset(void* to, int value, std::size_t bytes) { return memset(to, value, bytes); }

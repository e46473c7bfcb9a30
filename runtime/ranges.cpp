// Functions of the C library that read or write whole ranges of bytes. Calls from everywhere end here, also from
// libraries that are not instrumented.
#include <string.h>

#include "runtime/plain.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"

using namespace mazurka::runtime;

#define MAZURKA_RANGE(WRITE, ADDRESS, BYTES)                                                      \
  if (g.checking) [[unlikely]]                                                                    \
    touch_range(ADDRESS, BYTES, WRITE ? Touch::Write : Touch::Read, __builtin_return_address(0)); \
  else if (g.hooked && g.exploring) [[unlikely]]                                                  \
  visible_range(WRITE, ADDRESS, BYTES, MAZURKA_SITE)

MAZURKA_EXPORT void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) {
  MAZURKA_RANGE(false, from, bytes);
  MAZURKA_RANGE(true, to, bytes);
  copy_bytes(to, from, bytes);
  return to;
}

MAZURKA_EXPORT void* memmove(void* to, const void* from, std::size_t bytes) {
  MAZURKA_RANGE(false, from, bytes);
  MAZURKA_RANGE(true, to, bytes);
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
  MAZURKA_RANGE(true, to, bytes);
  void* place = to;
  __asm__ volatile("rep stosb" : "+D"(place), "+c"(bytes) : "a"(value) : "memory");
  return to;
}

// clang's names for the same calls.
MAZURKA_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  MAZURKA_RANGE(false, from, bytes);
  MAZURKA_RANGE(true, to, bytes);
  copy_bytes(to, from, bytes);
  return to;
}
MAZURKA_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  MAZURKA_RANGE(false, from, bytes);
  MAZURKA_RANGE(true, to, bytes);
  // Both ranges have been looked at.
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
MAZURKA_EXPORT void* __tsan_memset(void* to, int value, std::size_t bytes) {
  MAZURKA_RANGE(true, to, bytes);
  void* place = to;
  __asm__ volatile("rep stosb" : "+D"(place), "+c"(bytes) : "a"(value) : "memory");
  return to;
}

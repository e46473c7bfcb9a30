// String functions of the C library, for the program's own calls only: each makes the usual accesses and reports them.
// Libraries keep using the C library's, since they access the program's strings through the functions on ranges.
#include <ctype.h>
#include <string.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"

/// Weak: the program may define its own.
#define MAZURKA_HIDDEN extern "C" __attribute__((visibility("hidden"), weak))

using namespace mazurka::runtime;

namespace {

void use(bool write, const void* address, std::size_t bytes, const void* place) {
  if (!detector.checking) return;
  touch_range(address, bytes, write ? Touch::Write : Touch::Read, place);
  clean_a_little();
}

std::size_t length(const char* text, std::size_t limit = SIZE_MAX) {
  std::size_t count = 0;
  while (count < limit && text[count] != 0) ++count;
  return count;
}

#define MAZURKA_USE(WRITE, ADDRESS, BYTES) use(WRITE, ADDRESS, BYTES, __builtin_return_address(0))

/// The length of the common prefix of two strings.
std::size_t common(const char* a, const char* b, std::size_t limit) {
  std::size_t count = 0;
  while (count < limit && a[count] == b[count] && a[count] != 0) ++count;
  return count;
}

int difference(const char* a, const char* b, std::size_t at, std::size_t limit) {
  if (at == limit) return 0;
  return static_cast<unsigned char>(a[at]) - static_cast<unsigned char>(b[at]);
}

}  // namespace

// If accesses are scheduling points, the length of a string only becomes known while it is read.
namespace {

std::size_t visible_length(const char* text, std::size_t limit, std::uint64_t site) {
  std::size_t count = 0;
  while (count < limit && visible_load(text + count, site) != 0) ++count;
  return count;
}

/// Copies up to `limit` bytes, including the terminator if it comes before; returns the length.
std::size_t visible_copy_string(char* to, const char* from, std::size_t limit, std::uint64_t site) {
  for (std::size_t count = 0; count < limit; ++count) {
    const char c = visible_load(from + count, site);
    visible_store(to + count, c, site);
    if (c == 0) return count;
  }
  return limit;
}

int visible_compare(const char* a, const char* b, std::size_t limit, bool text, std::uint64_t site) {
  for (std::size_t i = 0; i < limit; ++i) {
    const auto left = static_cast<unsigned char>(visible_load(a + i, site));
    const auto right = static_cast<unsigned char>(visible_load(b + i, site));
    if (left != right) return left - right;
    if (text && left == 0) return 0;
  }
  return 0;
}

}  // namespace

MAZURKA_HIDDEN std::size_t strlen(const char* text) {
  if (is_visible()) [[unlikely]]
    return visible_length(text, SIZE_MAX, MAZURKA_SITE);
  const std::size_t result = length(text);
  MAZURKA_USE(false, text, result + 1);
  return result;
}
MAZURKA_HIDDEN std::size_t strnlen(const char* text, std::size_t limit) {
  if (is_visible()) [[unlikely]]
    return visible_length(text, limit, MAZURKA_SITE);
  const std::size_t result = length(text, limit);
  MAZURKA_USE(false, text, result < limit ? result + 1 : limit);
  return result;
}
MAZURKA_HIDDEN char* strcpy(char* to, const char* from) {
  if (is_visible()) [[unlikely]]
    return visible_copy_string(to, from, SIZE_MAX, MAZURKA_SITE), to;
  const std::size_t bytes = length(from) + 1;
  MAZURKA_USE(false, from, bytes);
  MAZURKA_USE(true, to, bytes);
  copy_bytes(to, from, bytes);
  return to;
}
MAZURKA_HIDDEN char* stpcpy(char* to, const char* from) {
  if (is_visible()) [[unlikely]]
    return to + visible_copy_string(to, from, SIZE_MAX, MAZURKA_SITE);
  const std::size_t bytes = length(from) + 1;
  MAZURKA_USE(false, from, bytes);
  MAZURKA_USE(true, to, bytes);
  copy_bytes(to, from, bytes);
  return to + bytes - 1;
}
MAZURKA_HIDDEN char* strncpy(char* to, const char* from, std::size_t limit) {
  if (is_visible()) [[unlikely]] {
    const std::size_t copied = visible_copy_string(to, from, limit, MAZURKA_SITE);
    visible_fill(to + copied, 0, limit - copied, MAZURKA_SITE);
    return to;
  }
  const std::size_t bytes = length(from, limit);
  MAZURKA_USE(false, from, bytes < limit ? bytes + 1 : limit);
  MAZURKA_USE(true, to, limit);
  copy_bytes(to, from, bytes);
  zero_bytes(to + bytes, limit - bytes);
  return to;
}
MAZURKA_HIDDEN char* strcat(char* to, const char* from) {
  if (is_visible()) [[unlikely]] {
    const std::size_t end = visible_length(to, SIZE_MAX, MAZURKA_SITE);
    visible_copy_string(to + end, from, SIZE_MAX, MAZURKA_SITE);
    return to;
  }
  const std::size_t at = length(to);
  const std::size_t bytes = length(from) + 1;
  MAZURKA_USE(false, to, at + 1);
  MAZURKA_USE(false, from, bytes);
  MAZURKA_USE(true, to + at, bytes);
  copy_bytes(to + at, from, bytes);
  return to;
}
MAZURKA_HIDDEN char* strncat(char* to, const char* from, std::size_t limit) {
  if (is_visible()) [[unlikely]] {
    char* end = to + visible_length(to, SIZE_MAX, MAZURKA_SITE);
    const std::size_t copied = visible_copy_string(end, from, limit, MAZURKA_SITE);
    if (copied == limit) visible_store(end + copied, 0, MAZURKA_SITE);
    return to;
  }
  const std::size_t at = length(to);
  const std::size_t bytes = length(from, limit);
  MAZURKA_USE(false, to, at + 1);
  MAZURKA_USE(false, from, bytes < limit ? bytes + 1 : limit);
  MAZURKA_USE(true, to + at, bytes + 1);
  copy_bytes(to + at, from, bytes);
  to[at + bytes] = 0;
  return to;
}
MAZURKA_HIDDEN int strcmp(const char* a, const char* b) {
  if (is_visible()) [[unlikely]]
    return visible_compare(a, b, SIZE_MAX, true, MAZURKA_SITE);
  const std::size_t at = common(a, b, SIZE_MAX);
  MAZURKA_USE(false, a, at + 1);
  MAZURKA_USE(false, b, at + 1);
  return difference(a, b, at, SIZE_MAX);
}
MAZURKA_HIDDEN int strncmp(const char* a, const char* b, std::size_t limit) {
  if (is_visible()) [[unlikely]]
    return visible_compare(a, b, limit, true, MAZURKA_SITE);
  const std::size_t at = common(a, b, limit);
  MAZURKA_USE(false, a, at < limit ? at + 1 : limit);
  MAZURKA_USE(false, b, at < limit ? at + 1 : limit);
  return difference(a, b, at, limit);
}
MAZURKA_HIDDEN int memcmp(const void* a, const void* b, std::size_t bytes) {
  if (is_visible()) [[unlikely]]
    return visible_compare(static_cast<const char*>(a), static_cast<const char*>(b), bytes, false, MAZURKA_SITE);
  MAZURKA_USE(false, a, bytes);
  MAZURKA_USE(false, b, bytes);
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < bytes; ++i)
    if (left[i] != right[i]) return left[i] - right[i];
  return 0;
}
MAZURKA_HIDDEN char* strdup(const char* text) {
  if (is_visible()) [[unlikely]] {
    // Like the C library: first the length, then the copy.
    const std::size_t length = visible_length(text, SIZE_MAX, MAZURKA_SITE);
    auto* copy = static_cast<char*>(allocate_at(length + 1, 16, __builtin_return_address(0)));
    if (copy != nullptr) visible_copy(copy, text, length + 1, MAZURKA_SITE);
    return copy;
  }
  const std::size_t bytes = length(text) + 1;
  MAZURKA_USE(false, text, bytes);
  void* copy = allocate_at(bytes, 16, __builtin_return_address(0));
  if (copy == nullptr) return nullptr;
  copy_bytes(copy, text, bytes);
  return static_cast<char*>(copy);
}

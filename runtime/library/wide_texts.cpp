// Functions on wide strings, and conversions between them and others.
#include <wchar.h>

#include "runtime/library/library_call.hpp"

using namespace mazurka::runtime;

namespace {

constexpr std::size_t kWide = sizeof(wchar_t);

std::size_t wide_length(const wchar_t* text, std::size_t limit = SIZE_MAX) {
  std::size_t length = 0;
  while (length < limit && text[length] != 0) ++length;
  return length;
}
std::size_t wide_bytes(const wchar_t* text, std::size_t limit = SIZE_MAX) {
  const std::size_t length = wide_length(text, limit);
  return (length < limit ? length + 1 : limit) * kWide;
}
/// How many bytes of each string a comparison reads.
std::size_t compared(const wchar_t* a, const wchar_t* b, std::size_t limit = SIZE_MAX) {
  std::size_t count = 0;
  while (count < limit && a[count] != 0 && a[count] == b[count]) ++count;
  return (count < limit ? count + 1 : limit) * kWide;
}

}  // namespace

MAZURKA_LIBRARY(std::size_t, wcslen, (const wchar_t* text)) {
  MAZURKA_CALL;
  call.reads(text, wide_bytes(text));
  return real_wcslen(text);
}
MAZURKA_LIBRARY(std::size_t, wcsnlen, (const wchar_t* text, std::size_t limit)) {
  MAZURKA_CALL;
  call.reads(text, wide_bytes(text, limit));
  return real_wcsnlen(text, limit);
}
MAZURKA_LIBRARY(wchar_t*, wcscpy, (wchar_t * to, const wchar_t* from)) {
  MAZURKA_CALL;
  call.reads(from, wide_bytes(from));
  call.writes(to, wide_bytes(from));
  return real_wcscpy(to, from);
}
MAZURKA_LIBRARY(wchar_t*, wcsncpy, (wchar_t * to, const wchar_t* from, std::size_t limit)) {
  MAZURKA_CALL;
  call.reads(from, wide_bytes(from, limit));
  call.writes(to, limit * kWide);
  return real_wcsncpy(to, from, limit);
}
MAZURKA_LIBRARY(wchar_t*, wcscat, (wchar_t * to, const wchar_t* from)) {
  MAZURKA_CALL;
  call.reads(to, wide_bytes(to));
  call.reads(from, wide_bytes(from));
  call.writes(to + wide_length(to), wide_bytes(from));
  return real_wcscat(to, from);
}
MAZURKA_LIBRARY(int, wcscmp, (const wchar_t* a, const wchar_t* b)) {
  MAZURKA_CALL;
  call.reads(a, compared(a, b));
  call.reads(b, compared(a, b));
  return real_wcscmp(a, b);
}
MAZURKA_LIBRARY(int, wcsncmp, (const wchar_t* a, const wchar_t* b, std::size_t limit)) {
  MAZURKA_CALL;
  call.reads(a, compared(a, b, limit));
  call.reads(b, compared(a, b, limit));
  return real_wcsncmp(a, b, limit);
}
#define MAZURKA_FIND_WIDE(NAME)                                       \
  MAZURKA_LIBRARY(wchar_t*, NAME, (const wchar_t* text, wchar_t c)) { \
    MAZURKA_CALL;                                                     \
    call.reads(text, wide_bytes(text));                               \
    return real_##NAME(text, c);                                      \
  }
MAZURKA_FIND_WIDE(wcschr)
MAZURKA_FIND_WIDE(wcsrchr)
MAZURKA_LIBRARY(wchar_t*, wcsstr, (const wchar_t* text, const wchar_t* part)) {
  MAZURKA_CALL;
  call.reads(text, wide_bytes(text));
  call.reads(part, wide_bytes(part));
  return real_wcsstr(text, part);
}

#define MAZURKA_COPY_WIDE(NAME)                                                             \
  MAZURKA_LIBRARY(wchar_t*, NAME, (wchar_t * to, const wchar_t* from, std::size_t count)) { \
    MAZURKA_CALL;                                                                           \
    call.reads(from, count* kWide);                                                         \
    call.writes(to, count* kWide);                                                          \
    return real_##NAME(to, from, count);                                                    \
  }
MAZURKA_COPY_WIDE(wmemcpy)
MAZURKA_COPY_WIDE(wmemmove)
MAZURKA_COPY_WIDE(wmempcpy)
MAZURKA_LIBRARY(wchar_t*, wmemset, (wchar_t * to, wchar_t c, std::size_t count)) {
  MAZURKA_CALL;
  call.writes(to, count * kWide);
  return real_wmemset(to, c, count);
}
MAZURKA_LIBRARY(int, wmemcmp, (const wchar_t* a, const wchar_t* b, std::size_t count)) {
  MAZURKA_CALL;
  call.reads(a, count * kWide);
  call.reads(b, count * kWide);
  return real_wmemcmp(a, b, count);
}
MAZURKA_LIBRARY(wchar_t*, wmemchr, (const wchar_t* begin, wchar_t c, std::size_t count)) {
  MAZURKA_CALL;
  wchar_t* const found = real_wmemchr(begin, c, count);
  call.reads(begin, (found == nullptr ? count : static_cast<std::size_t>(found - begin) + 1) * kWide);
  return found;
}

// With a null pointer, conversions only count.
MAZURKA_LIBRARY(std::size_t, mbstowcs, (wchar_t * to, const char* from, std::size_t limit)) {
  MAZURKA_CALL;
  const std::size_t count = real_mbstowcs(to, from, limit);
  call.reads(from, text_bytes(from));
  if (count != SIZE_MAX) call.wrote(to, (count < limit ? count + 1 : limit) * kWide);
  return count;
}
MAZURKA_LIBRARY(std::size_t, wcstombs, (char* to, const wchar_t* from, std::size_t limit)) {
  MAZURKA_CALL;
  const std::size_t count = real_wcstombs(to, from, limit);
  call.reads(from, wide_bytes(from));
  if (count != SIZE_MAX) call.wrote(to, count < limit ? count + 1 : limit);
  return count;
}

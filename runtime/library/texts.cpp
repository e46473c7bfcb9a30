// Functions on strings and bytes, besides those of posix/strings.cpp and posix/ranges.cpp, which are called most.
#include <ctype.h>

#include "runtime/library/library_call.hpp"

using namespace mazurka::runtime;

namespace {

/// How many bytes a search has read: up to what it found, or the whole string.
std::size_t searched(const char* text, const void* found) {
  return found == nullptr ? text_bytes(text) : static_cast<std::size_t>(static_cast<const char*>(found) - text) + 1;
}
std::size_t searched(const void* begin, const void* found, std::size_t bytes) {
  if (found == nullptr) return bytes;
  return static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(begin)) + 1;
}

/// How many bytes of each string a comparison without case reads.
std::size_t compared(const char* a, const char* b, std::size_t limit = SIZE_MAX) {
  std::size_t count = 0;
  while (count < limit && a[count] != 0 &&
         tolower(static_cast<unsigned char>(a[count])) == tolower(static_cast<unsigned char>(b[count])))
    ++count;
  return count < limit ? count + 1 : limit;
}

}  // namespace

// ---- searching

#define MAZURKA_FIND_BYTE(NAME)                             \
  MAZURKA_LIBRARY(char*, NAME, (const char* text, int c)) { \
    MAZURKA_CALL;                                           \
    char* const found = real_##NAME(text, c);               \
    call.reads(text, searched(text, found));                \
    return found;                                           \
  }
MAZURKA_FIND_BYTE(strchr)
MAZURKA_FIND_BYTE(strchrnul)
MAZURKA_FIND_BYTE(index)

#define MAZURKA_FIND_LAST(NAME)                             \
  MAZURKA_LIBRARY(char*, NAME, (const char* text, int c)) { \
    MAZURKA_CALL;                                           \
    char* const found = real_##NAME(text, c);               \
    call.reads(text, text_bytes(text));                     \
    return found;                                           \
  }
MAZURKA_FIND_LAST(strrchr)
MAZURKA_FIND_LAST(rindex)

#define MAZURKA_FIND_TEXT(NAME)                                        \
  MAZURKA_LIBRARY(char*, NAME, (const char* text, const char* part)) { \
    MAZURKA_CALL;                                                      \
    char* const found = real_##NAME(text, part);                       \
    call.reads(text, text_bytes(text));                                \
    call.reads(part, text_bytes(part));                                \
    return found;                                                      \
  }
MAZURKA_FIND_TEXT(strstr)
MAZURKA_FIND_TEXT(strcasestr)

MAZURKA_LIBRARY(char*, strpbrk, (const char* text, const char* bytes)) {
  MAZURKA_CALL;
  char* const found = real_strpbrk(text, bytes);
  call.reads(text, searched(text, found));
  call.reads(bytes, text_bytes(bytes));
  return found;
}

#define MAZURKA_SPAN(NAME)                                                    \
  MAZURKA_LIBRARY(std::size_t, NAME, (const char* text, const char* bytes)) { \
    MAZURKA_CALL;                                                             \
    const std::size_t length = real_##NAME(text, bytes);                      \
    call.reads(text, length + 1);                                             \
    call.reads(bytes, text_bytes(bytes));                                     \
    return length;                                                            \
  }
MAZURKA_SPAN(strspn)
MAZURKA_SPAN(strcspn)

MAZURKA_LIBRARY(void*, memchr, (const void* begin, int c, std::size_t bytes)) {
  MAZURKA_CALL;
  void* const found = real_memchr(begin, c, bytes);
  call.reads(begin, searched(begin, found, bytes));
  return found;
}
MAZURKA_LIBRARY(void*, memrchr, (const void* begin, int c, std::size_t bytes)) {
  MAZURKA_CALL;
  void* const found = real_memrchr(begin, c, bytes);
  call.reads(begin, bytes);
  return found;
}
MAZURKA_LIBRARY(void*, memmem, (const void* begin, std::size_t bytes, const void* part, std::size_t length)) {
  MAZURKA_CALL;
  void* const found = real_memmem(begin, bytes, part, length);
  call.reads(begin, bytes);
  call.reads(part, length);
  return found;
}

// ---- comparing

MAZURKA_LIBRARY(int, strcasecmp, (const char* a, const char* b)) {
  MAZURKA_CALL;
  const int result = real_strcasecmp(a, b);
  call.reads(a, compared(a, b));
  call.reads(b, compared(a, b));
  return result;
}
MAZURKA_LIBRARY(int, strncasecmp, (const char* a, const char* b, std::size_t limit)) {
  MAZURKA_CALL;
  const int result = real_strncasecmp(a, b, limit);
  call.reads(a, compared(a, b, limit));
  call.reads(b, compared(a, b, limit));
  return result;
}
#define MAZURKA_COMPARE_TEXTS(NAME)                            \
  MAZURKA_LIBRARY(int, NAME, (const char* a, const char* b)) { \
    MAZURKA_CALL;                                              \
    const int result = real_##NAME(a, b);                      \
    call.reads(a, text_bytes(a));                              \
    call.reads(b, text_bytes(b));                              \
    return result;                                             \
  }
MAZURKA_COMPARE_TEXTS(strcoll)
MAZURKA_COMPARE_TEXTS(strverscmp)
MAZURKA_LIBRARY(int, bcmp, (const void* a, const void* b, std::size_t bytes)) {
  MAZURKA_CALL;
  call.reads(a, bytes);
  call.reads(b, bytes);
  return real_bcmp(a, b, bytes);
}

// ---- copying and filling

#define MAZURKA_COPY_BYTES(NAME)                                                  \
  MAZURKA_LIBRARY(void*, NAME, (void* to, const void* from, std::size_t bytes)) { \
    MAZURKA_CALL;                                                                 \
    call.reads(from, bytes);                                                      \
    call.writes(to, bytes);                                                       \
    return real_##NAME(to, from, bytes);                                          \
  }
MAZURKA_COPY_BYTES(mempcpy)
MAZURKA_COPY_BYTES(__mempcpy)

MAZURKA_LIBRARY(void*, memccpy, (void* to, const void* from, int c, std::size_t bytes)) {
  MAZURKA_CALL;
  void* const end = real_memccpy(to, from, c, bytes);
  const std::size_t copied =
      end == nullptr ? bytes : static_cast<std::size_t>(static_cast<char*>(end) - static_cast<char*>(to));
  call.reads(from, copied);
  call.wrote(to, copied);
  return end;
}
MAZURKA_LIBRARY(void, bcopy, (const void* from, void* to, std::size_t bytes)) {
  MAZURKA_CALL;
  call.reads(from, bytes);
  call.writes(to, bytes);
  real_bcopy(from, to, bytes);
}
MAZURKA_LIBRARY(void, bzero, (void* to, std::size_t bytes)) {
  MAZURKA_CALL;
  call.writes(to, bytes);
  real_bzero(to, bytes);
}
MAZURKA_LIBRARY(void, explicit_bzero, (void* to, std::size_t bytes)) {
  MAZURKA_CALL;
  call.writes(to, bytes);
  real_explicit_bzero(to, bytes);
}
MAZURKA_LIBRARY(void, swab, (const void* from, void* to, long bytes)) {
  MAZURKA_CALL;
  const std::size_t swapped = bytes < 0 ? 0 : static_cast<std::size_t>(bytes) & ~std::size_t{1};
  call.reads(from, swapped);
  call.writes(to, swapped);
  real_swab(from, to, bytes);
}
MAZURKA_LIBRARY(char*, stpncpy, (char* to, const char* from, std::size_t limit)) {
  MAZURKA_CALL;
  call.reads(from, text_bytes(from, limit));
  call.writes(to, limit);
  return real_stpncpy(to, from, limit);
}
MAZURKA_LIBRARY(std::size_t, strxfrm, (char* to, const char* from, std::size_t limit)) {
  MAZURKA_CALL;
  const std::size_t length = real_strxfrm(to, from, limit);
  call.reads(from, text_bytes(from));
  call.wrote(to, length < limit ? length + 1 : limit);
  return length;
}
MAZURKA_LIBRARY(char*, strndup, (const char* text, std::size_t limit)) {
  MAZURKA_CALL;
  call.reads(text, text_bytes(text, limit));
  return real_strndup(text, limit);
}

// ---- splitting, which overwrites the byte after each part

MAZURKA_LIBRARY(char*, strsep, (char** place, const char* bytes)) {
  MAZURKA_CALL;
  call.writes(place, sizeof *place);
  char* const text = *place;
  if (text != nullptr) call.writes(text, text_bytes(text));
  call.reads(bytes, text_bytes(bytes));
  return real_strsep(place, bytes);
}
#define MAZURKA_SPLIT(NAME)                                                     \
  MAZURKA_LIBRARY(char*, NAME, (char* text, const char* bytes, char** place)) { \
    MAZURKA_CALL;                                                               \
    call.writes(place, sizeof *place);                                          \
    char* const begin = text == nullptr ? *place : text;                        \
    if (begin != nullptr) call.writes(begin, text_bytes(begin));                \
    call.reads(bytes, text_bytes(bytes));                                       \
    return real_##NAME(text, bytes, place);                                     \
  }
MAZURKA_SPLIT(strtok_r)
MAZURKA_SPLIT(__strtok_r)

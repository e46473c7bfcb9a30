// Functions of the C library on structures of the program: dates, regular expressions, search trees, addresses.
#include <regex.h>
#include <time.h>

#include "runtime/library/library_call.hpp"

using namespace mazurka::runtime;

// ---- dates

#define MAZURKA_DATE(NAME)                                       \
  MAZURKA_LIBRARY(tm*, NAME, (const time_t* time, tm* result)) { \
    MAZURKA_CALL;                                                \
    call.reads(time, sizeof *time);                              \
    call.writes(result, sizeof *result);                         \
    return real_##NAME(time, result);                            \
  }
MAZURKA_DATE(gmtime_r)
MAZURKA_DATE(localtime_r)

#define MAZURKA_NORMALISE(NAME)                \
  MAZURKA_LIBRARY(time_t, NAME, (tm * date)) { \
    MAZURKA_CALL;                              \
    call.writes(date, sizeof *date);           \
    return real_##NAME(date);                  \
  }
MAZURKA_NORMALISE(mktime)
MAZURKA_NORMALISE(timegm)

#define MAZURKA_DATE_TEXT(NAME, FROM)                              \
  MAZURKA_LIBRARY(char*, NAME, (const FROM* from, char* text)) {   \
    MAZURKA_CALL;                                                  \
    call.reads(from, sizeof *from);                                \
    char* const result = real_##NAME(from, text);                  \
    if (result != nullptr) call.wrote(result, text_bytes(result)); \
    return result;                                                 \
  }
MAZURKA_DATE_TEXT(asctime_r, tm)
MAZURKA_DATE_TEXT(ctime_r, time_t)

MAZURKA_LIBRARY(std::size_t, strftime, (char* text, std::size_t limit, const char* format, const tm* date)) {
  MAZURKA_CALL;
  call.reads(format, text_bytes(format));
  call.reads(date, sizeof *date);
  const std::size_t length = real_strftime(text, limit, format, date);
  call.wrote(text, length == 0 ? 0 : length + 1);
  return length;
}
MAZURKA_LIBRARY(char*, strptime, (const char* text, const char* format, tm* date)) {
  MAZURKA_CALL;
  call.reads(text, text_bytes(text));
  call.reads(format, text_bytes(format));
  call.writes(date, sizeof *date);
  return real_strptime(text, format, date);
}

// ---- regular expressions

MAZURKA_LIBRARY(int, regcomp, (regex_t * compiled, const char* pattern, int flags)) {
  MAZURKA_CALL;
  const int error = real_regcomp(compiled, pattern, flags);
  call.reads(pattern, text_bytes(pattern));
  call.wrote(compiled, sizeof *compiled);
  return error;
}
MAZURKA_LIBRARY(int, regexec,
                (const regex_t* compiled, const char* text, std::size_t count, regmatch_t* matches, int flags)) {
  MAZURKA_CALL;
  call.reads(compiled, sizeof *compiled);
  if ((flags & REG_STARTEND) == 0) call.reads(text, text_bytes(text));
  const int result = real_regexec(compiled, text, count, matches, flags);
  if (result == 0 && !compiled->no_sub) call.wrote(matches, count * sizeof *matches);
  return result;
}
MAZURKA_LIBRARY(void, regfree, (regex_t * compiled)) {
  MAZURKA_CALL;
  call.writes(compiled, sizeof *compiled);
  real_regfree(compiled);
}

// ---- search trees and tables: the root, or the count, stands for all of it

using Compare = int(const void*, const void*);

#define MAZURKA_TREE(NAME, USES, PLACE)                                           \
  MAZURKA_LIBRARY(void*, NAME, (const void* key, PLACE root, Compare* compare)) { \
    if (sees_accesses()) {                                                        \
      MAZURKA_CALL;                                                               \
      call.USES(root, sizeof *root);                                              \
    }                                                                             \
    return real_##NAME(key, root, compare);                                       \
  }
MAZURKA_TREE(tsearch, wrote, void**)
MAZURKA_TREE(tdelete, wrote, void**)
MAZURKA_TREE(tfind, reads, void* const*)

// ---- addresses of the internet

namespace {
constexpr int kInternet = 2;  // AF_INET, in <sys/socket.h>
constexpr std::size_t address_bytes(int family) { return family == kInternet ? 4 : 16; }
}  // namespace

MAZURKA_LIBRARY(const char*, inet_ntop, (int family, const void* from, char* to, unsigned limit)) {
  MAZURKA_CALL;
  call.reads(from, address_bytes(family));
  const char* const result = real_inet_ntop(family, from, to, limit);
  if (result != nullptr) call.wrote(to, text_bytes(to));
  return result;
}
MAZURKA_LIBRARY(int, inet_pton, (int family, const char* from, void* to)) {
  MAZURKA_CALL;
  call.reads(from, text_bytes(from));
  const int result = real_inet_pton(family, from, to);
  if (result == 1) call.wrote(to, address_bytes(family));
  return result;
}

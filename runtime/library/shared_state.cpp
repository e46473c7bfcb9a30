// Functions of the C library that use memory which all threads share: the environment, the locale, results in static
// buffers. The library does not order them, so unordered calls are data races.
#include <locale.h>
#include <time.h>

#include "runtime/library/library_call.hpp"

using namespace mazurka::runtime;

extern "C" char** environ;

// Stand-ins for memory of the library that has no symbol. Their names appear in reports.
extern "C" {
__attribute__((visibility("hidden"))) std::uint64_t strtok_position;
__attribute__((visibility("hidden"))) std::uint64_t current_locale;
__attribute__((visibility("hidden"))) std::uint64_t hash_table_of_hsearch;
}

// ---- the environment

#define MAZURKA_READ_ENVIRONMENT(NAME)               \
  MAZURKA_LIBRARY(char*, NAME, (const char* name)) { \
    MAZURKA_CALL;                                    \
    call.reads(name, text_bytes(name));              \
    call.reads(&environ, sizeof environ);            \
    return real_##NAME(name);                        \
  }
MAZURKA_READ_ENVIRONMENT(getenv)
MAZURKA_READ_ENVIRONMENT(secure_getenv)

MAZURKA_LIBRARY(int, setenv, (const char* name, const char* value, int overwrite)) {
  MAZURKA_CALL;
  call.reads(name, text_bytes(name));
  call.reads(value, text_bytes(value));
  call.wrote(&environ, sizeof environ);
  return real_setenv(name, value, overwrite);
}
MAZURKA_LIBRARY(int, unsetenv, (const char* name)) {
  MAZURKA_CALL;
  call.reads(name, text_bytes(name));
  call.wrote(&environ, sizeof environ);
  return real_unsetenv(name);
}
MAZURKA_LIBRARY(int, putenv, (char* text)) {
  MAZURKA_CALL;
  call.reads(text, text_bytes(text));
  call.wrote(&environ, sizeof environ);
  return real_putenv(text);
}
MAZURKA_LIBRARY(int, clearenv, ()) {
  MAZURKA_CALL;
  call.wrote(&environ, sizeof environ);
  return real_clearenv();
}

// ---- the locale

MAZURKA_LIBRARY(char*, setlocale, (int category, const char* name)) {
  MAZURKA_CALL;
  if (name == nullptr) {
    call.reads(&current_locale, sizeof current_locale);
  } else {
    call.reads(name, text_bytes(name));
    call.wrote(&current_locale, sizeof current_locale);
  }
  return real_setlocale(category, name);
}
MAZURKA_LIBRARY(lconv*, localeconv, ()) {
  MAZURKA_CALL;
  call.reads(&current_locale, sizeof current_locale);
  lconv* const result = real_localeconv();
  call.wrote(result, sizeof *result);
  return result;
}

// ---- results in static buffers

#define MAZURKA_STATIC_DATE(NAME)                    \
  MAZURKA_LIBRARY(tm*, NAME, (const time_t* time)) { \
    MAZURKA_CALL;                                    \
    call.reads(time, sizeof *time);                  \
    tm* const result = real_##NAME(time);            \
    call.wrote(result, sizeof *result);              \
    return result;                                   \
  }
MAZURKA_STATIC_DATE(gmtime)
MAZURKA_STATIC_DATE(localtime)

#define MAZURKA_STATIC_TEXT(NAME, FROM)                            \
  MAZURKA_LIBRARY(char*, NAME, (const FROM* from)) {               \
    MAZURKA_CALL;                                                  \
    call.reads(from, sizeof *from);                                \
    char* const result = real_##NAME(from);                        \
    if (result != nullptr) call.wrote(result, text_bytes(result)); \
    return result;                                                 \
  }
MAZURKA_STATIC_TEXT(asctime, tm)
MAZURKA_STATIC_TEXT(ctime, time_t)

MAZURKA_LIBRARY(char*, strtok, (char* text, const char* bytes)) {
  MAZURKA_CALL;
  call.wrote(&strtok_position, sizeof strtok_position);
  if (text != nullptr) call.writes(text, text_bytes(text));
  call.reads(bytes, text_bytes(bytes));
  return real_strtok(text, bytes);
}

// ---- the table of hsearch

struct HashEntry {  // as in <search.h>
  char* key;
  void* data;
};
MAZURKA_LIBRARY(int, hcreate, (std::size_t size)) {
  MAZURKA_CALL;
  call.wrote(&hash_table_of_hsearch, sizeof hash_table_of_hsearch);
  return real_hcreate(size);
}
MAZURKA_LIBRARY(void, hdestroy, ()) {
  MAZURKA_CALL;
  call.wrote(&hash_table_of_hsearch, sizeof hash_table_of_hsearch);
  real_hdestroy();
}
MAZURKA_LIBRARY(HashEntry*, hsearch, (HashEntry entry, int action)) {
  MAZURKA_CALL;
  constexpr int kFind = 0;
  if (action == kFind)
    call.reads(&hash_table_of_hsearch, sizeof hash_table_of_hsearch);
  else
    call.wrote(&hash_table_of_hsearch, sizeof hash_table_of_hsearch);
  return real_hsearch(entry, action);
}

// printf and scanf of strings, and printf of the standard output. Those of streams are in files/streams.cpp.
#include <cstdio>

#include "runtime/library/format.hpp"

using namespace mazurka::runtime;

static constinit Original<int(char**, const char*, va_list)> real_vasprintf{"vasprintf"};
static constinit Original<int(const char*, va_list)> real_vprintf{"vprintf"};
static constinit Original<int(const char*, const char*, va_list)> real_vsscanf{"vsscanf"};
static constinit Original<int(const char*, const char*, va_list)> real_vsscanf_c99{"__isoc99_vsscanf"};
static constinit Original<int(char*, std::size_t, const char*, va_list)> real_vsnprintf{"vsnprintf"};

__attribute__((constructor)) static void find_formatted() {
  real_vasprintf.find();
  real_vprintf.find();
  real_vsscanf.find();
  real_vsscanf_c99.find();
  real_vsnprintf.find();
}

namespace {

int print_to(char* to, std::size_t limit, const char* format, va_list arguments, std::uint64_t site) {
  LibraryCall call(site, LibraryCall::IfShared());
  call.involves(to);
  report_printed(call, format, arguments);
  const int length = real_vsnprintf(to, limit, format, arguments);
  if (length < 0 || limit == 0) return length;
  const auto written = static_cast<std::size_t>(length);
  call.wrote(to, written < limit ? written + 1 : limit);
  return length;
}

int scan(Original<int(const char*, const char*, va_list)>& real, const char* text, const char* format,
         va_list arguments, std::uint64_t site) {
  const LibraryCall call(site);
  call.reads(text, text_bytes(text));
  const int count = real(text, format, arguments);
  report_scanned(call, format, arguments, count);
  return count;
}

int print_to_new(char** place, const char* format, va_list arguments, std::uint64_t site) {
  LibraryCall call(site, LibraryCall::IfShared());
  call.involves(place);
  report_printed(call, format, arguments);
  call.writes(place, sizeof *place);
  return real_vasprintf(place, format, arguments);
}

int print(const char* format, va_list arguments, std::uint64_t site) {
  const CleansStack cleans;
  LibraryCall call(site, LibraryCall::IfShared());
  report_printed(call, format, arguments);
  return real_vprintf(format, arguments);
}

}  // namespace

#define MAZURKA_FORMATTED(NAME, PARAMETERS)                                                                    \
  extern "C" __attribute__((visibility("hidden"), weak)) int mazurka_library_##NAME PARAMETERS __asm__(#NAME); \
  extern "C" __attribute__((visibility("hidden"), weak)) int mazurka_library_##NAME PARAMETERS

// Each function with an ellipsis, the same with a list, and what they become by _FORTIFY_SOURCE.
#define MAZURKA_WITH_LIST(NAME, LIST_NAME, FIXED, RESULT)                   \
  MAZURKA_FORMATTED(NAME, (MAZURKA_UNPACK FIXED, ...)) {                    \
    va_list arguments;                                                      \
    va_start(arguments, format);                                            \
    const std::uint64_t site = MAZURKA_SEEN_SITE;                           \
    const int result = RESULT;                                              \
    clean_saved_registers(arguments);                                       \
    va_end(arguments);                                                      \
    return result;                                                          \
  }                                                                         \
  MAZURKA_FORMATTED(LIST_NAME, (MAZURKA_UNPACK FIXED, va_list arguments)) { \
    const std::uint64_t site = MAZURKA_SEEN_SITE;                           \
    return RESULT;                                                          \
  }
#define MAZURKA_UNPACK(...) __VA_ARGS__
#define MAZURKA_SEEN_SITE (sees_accesses() ? MAZURKA_SITE : 0)

MAZURKA_WITH_LIST(sprintf, vsprintf, (char* to, const char* format),
                  print_to(to, SIZE_MAX >> 1, format, arguments, site))
MAZURKA_WITH_LIST(snprintf, vsnprintf, (char* to, std::size_t limit, const char* format),
                  print_to(to, limit, format, arguments, site))
MAZURKA_WITH_LIST(asprintf, vasprintf, (char** place, const char* format), print_to_new(place, format, arguments, site))
MAZURKA_WITH_LIST(printf, vprintf, (const char* format), print(format, arguments, site))
MAZURKA_WITH_LIST(sscanf, vsscanf, (const char* text, const char* format),
                  scan(real_vsscanf, text, format, arguments, site))
MAZURKA_WITH_LIST(__isoc99_sscanf, __isoc99_vsscanf, (const char* text, const char* format),
                  scan(real_vsscanf_c99, text, format, arguments, site))

// The C library's streams. A call on a file's stream is a scheduling point; no other thread runs inside it, so the
// library's stream lock is never contended. Output to the standard streams is not a scheduling point.
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>

#include "runtime/files/file_steps.hpp"
#include "runtime/files/files.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

bool is_of_a_file(FILE* stream) { return stream != nullptr && fileno(stream) > 2; }

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_STREAM(RESULT, NAME, PARAMETERS, ARGUMENTS)                                \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS __asm__(#NAME);                \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS {                              \
    static const auto real = reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)); \
    if (!is_of_a_file(stream)) return real ARGUMENTS;                                      \
    const FileUse use(true, MAZURKA_SITE);                                                 \
    return real ARGUMENTS;                                                                 \
  }

#define MAZURKA_FOPEN(NAME)                                                                               \
  MAZURKA_REPLACEABLE FILE* mazurka_file_##NAME(const char* path, const char* mode) __asm__(#NAME);       \
  MAZURKA_REPLACEABLE FILE* mazurka_file_##NAME(const char* path, const char* mode) {                     \
    static const auto real = reinterpret_cast<FILE* (*)(const char*, const char*)>(next_function(#NAME)); \
    const std::uint64_t site = MAZURKA_SITE;                                                              \
    if (mode != nullptr && (mode[0] != 'r' || mode[1] == '+')) need_trap(#NAME, site);                    \
    const FileUse use(true, site);                                                                        \
    return real(stands_for(path), mode);                                                                  \
  }
MAZURKA_FOPEN(fopen)
MAZURKA_FOPEN(fopen64)
MAZURKA_CHANGES(FILE*, tmpfile, (), ())
MAZURKA_CHANGES(FILE*, tmpfile64, (), ())
#define MAZURKA_FREOPEN(NAME)                                                                                     \
  MAZURKA_REPLACEABLE FILE* mazurka_file_##NAME(const char* path, const char* mode, FILE* stream) __asm__(#NAME); \
  MAZURKA_REPLACEABLE FILE* mazurka_file_##NAME(const char* path, const char* mode, FILE* stream) {               \
    static const auto real = reinterpret_cast<FILE* (*)(const char*, const char*, FILE*)>(next_function(#NAME));  \
    const std::uint64_t site = MAZURKA_SITE;                                                                      \
    if (!worker.standalone && (stream == stdout || stream == stderr))                                             \
      unsupported(#NAME "() of a standard stream", site);                                                         \
    need_trap(#NAME, site);                                                                                       \
    const FileUse use(true, site);                                                                                \
    return real(path, mode, stream);                                                                              \
  }
MAZURKA_FREOPEN(freopen)
MAZURKA_FREOPEN(freopen64)
MAZURKA_STREAM(int, fclose, (FILE * stream), (stream))
MAZURKA_STREAM(int, fputs, (const char* text, FILE* stream), (text, stream))
MAZURKA_STREAM(int, fputc, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(int, putc, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(std::size_t, fwrite, (const void* text, std::size_t size, std::size_t count, FILE* stream),
               (text, size, count, stream))
MAZURKA_STREAM(int, vfprintf, (FILE * stream, const char* format, va_list list), (stream, format, list))
MAZURKA_STREAM(char*, fgets, (char* text, int bytes, FILE* stream), (text, bytes, stream))
MAZURKA_STREAM(int, fgetc, (FILE * stream), (stream))
MAZURKA_STREAM(int, getc, (FILE * stream), (stream))
MAZURKA_STREAM(ssize_t, getline, (char** text, std::size_t* bytes, FILE* stream), (text, bytes, stream))
MAZURKA_STREAM(ssize_t, getdelim, (char** text, std::size_t* bytes, int end, FILE* stream), (text, bytes, end, stream))
MAZURKA_STREAM(int, vfscanf, (FILE * stream, const char* format, va_list list), (stream, format, list))
MAZURKA_STREAM(int, fseek, (FILE * stream, long offset, int from), (stream, offset, from))
MAZURKA_STREAM(int, fseeko, (FILE * stream, off_t offset, int from), (stream, offset, from))
MAZURKA_STREAM(int, fseeko64, (FILE * stream, off_t offset, int from), (stream, offset, from))
MAZURKA_STREAM(long, ftell, (FILE * stream), (stream))
MAZURKA_STREAM(off_t, ftello, (FILE * stream), (stream))
MAZURKA_STREAM(off_t, ftello64, (FILE * stream), (stream))
MAZURKA_STREAM(void, rewind, (FILE * stream), (stream))

MAZURKA_REPLACEABLE std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  static const auto real =
      reinterpret_cast<std::size_t (*)(void*, std::size_t, std::size_t, FILE*)>(next_function("fread"));
  touch(buffer, size * count);
  if (!is_of_a_file(stream)) return real(buffer, size, count, stream);
  const FileUse use(true, MAZURKA_SITE);
  return real(buffer, size, count, stream);
}

/// A null stream means all streams.
MAZURKA_REPLACEABLE int fflush(FILE* stream) {
  static const auto real = reinterpret_cast<int (*)(FILE*)>(next_function("fflush"));
  if (stream != nullptr && !is_of_a_file(stream)) return real(stream);
  const FileUse use(true, MAZURKA_SITE);
  return real(stream);
}

MAZURKA_REPLACEABLE int fprintf(FILE* stream, const char* format, ...) {
  static const auto real = reinterpret_cast<int (*)(FILE*, const char*, va_list)>(next_function("vfprintf"));
  va_list list;
  va_start(list, format);
  int result = 0;
  if (is_of_a_file(stream)) {
    const FileUse use(true, MAZURKA_SITE);
    result = real(stream, format, list);
  } else {
    result = real(stream, format, list);
  }
  va_end(list);
  return result;
}

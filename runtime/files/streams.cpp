// The C library's streams. A call on a stream is a scheduling point; no other thread runs inside it, so the library's
// stream lock is never contended. Input and output of the standard streams are not scheduling points.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>
#include <wchar.h>

#include "runtime/arch.hpp"
#include "runtime/files/file_steps.hpp"
#include "runtime/files/files.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Streams in memory have no descriptor, nor have the standard streams if their output is captured.
bool is_shared(FILE* stream) {
  if (stream == nullptr) return false;
  const int error = errno;
  const int file = fileno(stream);
  errno = error;  // the program may look at it after the call
  if (file < 0) return scheduling.exploring && stream != stdin && stream != stdout && stream != stderr;
  return file > 2;
}

template <class Call>
auto use_stream(FILE* stream, std::uint64_t site, Call call) {
  const CleansStack cleans;
  if (!is_shared(stream)) return call();
  const FileUse use(true, site);
  return call();
}

/// getdelim(). If accesses are scheduling points, the line is read into memory of its own.
ssize_t read_line(char** text, std::size_t* bytes, int end, FILE* stream, const Caller& caller) {
  using Function = ssize_t (*)(char**, std::size_t*, int, FILE*);
  static const auto real = reinterpret_cast<Function>(next_function("getdelim"));
  use_argument(false, text, sizeof *text, caller);
  char* const line_before = *text;
  use_argument(false, bytes, sizeof *bytes, caller);
  const std::size_t room_before = *bytes;
  const bool elsewhere = is_visible() && caller.is_watched();
  char* line = elsewhere ? nullptr : line_before;
  std::size_t room = elsewhere ? 0 : room_before;
  const ssize_t found = use_stream(stream, caller.site(), [&] { return real(&line, &room, end, stream); });
  const std::size_t length = found < 0 ? 0 : static_cast<std::size_t>(found) + 1;
  if (elsewhere) {
    const bool replaces = line_before == nullptr || length > room_before;
    if (!replaces) {
      use_argument(true, line_before, length, caller);
      copy_bytes(line_before, line, length);
    }
    release_block(replaces ? line_before : line, caller.address, caller.frame);
    if (!replaces) return found;
  } else {
    use_argument(true, line, length, caller);
  }
  if (line == line_before && room == room_before) return found;
  use_argument(true, text, sizeof *text, caller);
  *text = line;
  use_argument(true, bytes, sizeof *bytes, caller);
  *bytes = room;
  return found;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_STREAM(RESULT, NAME, PARAMETERS, ARGUMENTS)                                \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS __asm__(#NAME);                \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS {                              \
    static const auto real = reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)); \
    const CleansStack cleans;                                                              \
    if (!is_shared(stream)) return real ARGUMENTS;                                         \
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
MAZURKA_STREAM(int, fputc, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(int, putc, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(int, vfprintf, (FILE * stream, const char* format, va_list list), (stream, format, list))
MAZURKA_STREAM(int, fgetc, (FILE * stream), (stream))
MAZURKA_STREAM(int, getc, (FILE * stream), (stream))
MAZURKA_STREAM(int, vfscanf, (FILE * stream, const char* format, va_list list), (stream, format, list))
MAZURKA_STREAM(int, fseek, (FILE * stream, long offset, int from), (stream, offset, from))
MAZURKA_STREAM(int, fseeko, (FILE * stream, off_t offset, int from), (stream, offset, from))
MAZURKA_STREAM(int, fseeko64, (FILE * stream, off_t offset, int from), (stream, offset, from))
MAZURKA_STREAM(long, ftell, (FILE * stream), (stream))
MAZURKA_STREAM(off_t, ftello, (FILE * stream), (stream))
MAZURKA_STREAM(off_t, ftello64, (FILE * stream), (stream))
MAZURKA_STREAM(void, rewind, (FILE * stream), (stream))
MAZURKA_STREAM(int, ungetc, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(int, putw, (int word, FILE* stream), (word, stream))
MAZURKA_STREAM(int, getw, (FILE * stream), (stream))
MAZURKA_STREAM(int, feof, (FILE * stream), (stream))
MAZURKA_STREAM(int, ferror, (FILE * stream), (stream))
MAZURKA_STREAM(void, clearerr, (FILE * stream), (stream))
MAZURKA_STREAM(int, fgetpos, (FILE * stream, fpos_t* position), (stream, position))
MAZURKA_STREAM(int, fsetpos, (FILE * stream, const fpos_t* position), (stream, position))
MAZURKA_STREAM(int, setvbuf, (FILE * stream, char* buffer, int mode, std::size_t bytes), (stream, buffer, mode, bytes))
MAZURKA_STREAM(void, setbuf, (FILE * stream, char* buffer), (stream, buffer))
MAZURKA_STREAM(void, setlinebuf, (FILE * stream), (stream))
MAZURKA_STREAM(wint_t, fputwc, (wchar_t letter, FILE* stream), (letter, stream))
MAZURKA_STREAM(wint_t, putwc, (wchar_t letter, FILE* stream), (letter, stream))
MAZURKA_STREAM(wint_t, fgetwc, (FILE * stream), (stream))
MAZURKA_STREAM(wint_t, getwc, (FILE * stream), (stream))
MAZURKA_STREAM(wint_t, ungetwc, (wint_t letter, FILE* stream), (letter, stream))
MAZURKA_STREAM(int, fputws, (const wchar_t* text, FILE* stream), (text, stream))
MAZURKA_STREAM(wchar_t*, fgetws, (wchar_t * text, int letters, FILE* stream), (text, letters, stream))
MAZURKA_STREAM(int, fputc_unlocked, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(int, putc_unlocked, (int byte, FILE* stream), (byte, stream))
MAZURKA_STREAM(int, fgetc_unlocked, (FILE * stream), (stream))
MAZURKA_STREAM(int, getc_unlocked, (FILE * stream), (stream))
MAZURKA_STREAM(int, fflush_unlocked, (FILE * stream), (stream))

#define MAZURKA_FREAD(NAME)                                                                              \
  MAZURKA_REPLACEABLE std::size_t mazurka_file_##NAME(void* buffer, std::size_t size, std::size_t count, \
                                                      FILE* stream) __asm__(#NAME);                      \
  MAZURKA_REPLACEABLE std::size_t mazurka_file_##NAME(void* buffer, std::size_t size, std::size_t count, \
                                                      FILE* stream) {                                    \
    static const auto real =                                                                             \
        reinterpret_cast<std::size_t (*)(void*, std::size_t, std::size_t, FILE*)>(next_function(#NAME)); \
    Output output(buffer, size* count, MAZURKA_CALLER);                                                  \
    touch(output.address(), size* count);                                                                \
    const std::size_t found =                                                                            \
        use_stream(stream, MAZURKA_SITE, [&] { return real(output.address(), size, count, stream); });   \
    output.wrote(found* size); /* a part of an element that was read as well does not count */           \
    return found;                                                                                        \
  }
MAZURKA_FREAD(fread)
MAZURKA_FREAD(fread_unlocked)

MAZURKA_REPLACEABLE char* fgets(char* text, int bytes, FILE* stream) {
  static const auto real = reinterpret_cast<char* (*)(char*, int, FILE*)>(next_function("fgets"));
  Output output(text, bytes > 0 ? static_cast<std::size_t>(bytes) : 0, MAZURKA_CALLER);
  auto* const place = static_cast<char*>(output.address());
  const char* const found = use_stream(stream, MAZURKA_SITE, [&] { return real(place, bytes, stream); });
  if (found == nullptr) return nullptr;
  output.wrote(length_of(place) + 1);
  return text;
}

MAZURKA_REPLACEABLE ssize_t getdelim(char** text, std::size_t* bytes, int end, FILE* stream) {
  return read_line(text, bytes, end, stream, MAZURKA_CALLER);
}
/// What headers of the C library make of getline().
MAZURKA_REPLACEABLE ssize_t __getdelim(char** text, std::size_t* bytes, int end, FILE* stream) {
  return read_line(text, bytes, end, stream, MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE ssize_t mazurka_file_getline(char** text, std::size_t* bytes, FILE* stream) __asm__("getline");
MAZURKA_REPLACEABLE ssize_t mazurka_file_getline(char** text, std::size_t* bytes, FILE* stream) {
  return read_line(text, bytes, '\n', stream, MAZURKA_CALLER);
}

MAZURKA_REPLACEABLE int fputs(const char* text, FILE* stream) {
  static const auto real = reinterpret_cast<int (*)(const char*, FILE*)>(next_function("fputs"));
  const Input input(text, MAZURKA_CALLER);
  return use_stream(stream, MAZURKA_SITE, [&] { return real(input.text(), stream); });
}
MAZURKA_REPLACEABLE int puts(const char* text) {
  static const auto real = reinterpret_cast<int (*)(const char*)>(next_function("puts"));
  const CleansStack cleans;
  const Input input(text, MAZURKA_CALLER);
  return real(input.text());
}
#define MAZURKA_FWRITE(NAME)                                                                                   \
  MAZURKA_REPLACEABLE std::size_t mazurka_file_##NAME(const void* text, std::size_t size, std::size_t count,   \
                                                      FILE* stream) __asm__(#NAME);                            \
  MAZURKA_REPLACEABLE std::size_t mazurka_file_##NAME(const void* text, std::size_t size, std::size_t count,   \
                                                      FILE* stream) {                                          \
    static const auto real =                                                                                   \
        reinterpret_cast<std::size_t (*)(const void*, std::size_t, std::size_t, FILE*)>(next_function(#NAME)); \
    const Input input(text, size* count, MAZURKA_CALLER);                                                      \
    return use_stream(stream, MAZURKA_SITE, [&] { return real(input.address(), size, count, stream); });       \
  }
MAZURKA_FWRITE(fwrite)
MAZURKA_FWRITE(fwrite_unlocked)

/// A null stream means all streams.
MAZURKA_REPLACEABLE int fflush(FILE* stream) {
  static const auto real = reinterpret_cast<int (*)(FILE*)>(next_function("fflush"));
  const CleansStack cleans;
  if (stream != nullptr && !is_shared(stream)) return real(stream);
  const FileUse use(true, MAZURKA_SITE);
  return real(stream);
}

MAZURKA_REPLACEABLE int fprintf(FILE* stream, const char* format, ...) {
  static const auto real = reinterpret_cast<int (*)(FILE*, const char*, va_list)>(next_function("vfprintf"));
  const CleansStack cleans;
  va_list list;
  va_start(list, format);
  int result = 0;
  if (is_shared(stream)) {
    const FileUse use(true, MAZURKA_SITE);
    result = real(stream, format, list);
  } else {
    result = real(stream, format, list);
  }
  clean_saved_registers(list);
  va_end(list);
  return result;
}

// Functions of the C library that query files. Their system calls write to the program's memory. If the snapshot
// protects the page, the kernel returns EFAULT instead of faulting, so the buffer is touched first.
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/files/file_steps.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"

using namespace mazurka::runtime;

namespace {

// How many bytes a call has written.
std::size_t bytes_written(int outcome, std::size_t bytes) { return outcome == 0 ? bytes : 0; }
std::size_t bytes_written(ssize_t outcome, std::size_t) { return outcome < 0 ? 0 : static_cast<std::size_t>(outcome); }
std::size_t bytes_written(const char* outcome, std::size_t) { return outcome == nullptr ? 0 : length_of(outcome) + 1; }

// What the program gets instead of what a call has returned, if that wrote to other memory.
template <class Number>
Number own_result(Number outcome, const void*) {
  return outcome;
}
char* own_result(char* outcome, char* given) { return outcome == nullptr || given == nullptr ? outcome : given; }

}  // namespace

// Defines NAME: a scheduling point that reads files, touches BYTES of BUFFER, then calls the C library's function.
#define MAZURKA_TOUCHING(RESULT, NAME, PARAMETERS, ARGUMENTS, BUFFER, BYTES)               \
  MAZURKA_REPLACEABLE RESULT NAME PARAMETERS {                                             \
    static const auto real = reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)); \
    const std::uint64_t site = MAZURKA_SITE;                                               \
    refuse_channel(descriptor_in ARGUMENTS, #NAME, site);                                  \
    auto* const given = BUFFER;                                                            \
    Output output(given, BYTES, MAZURKA_CALLER);                                           \
    BUFFER = static_cast<decltype(BUFFER)>(output.address());                              \
    const auto call = [&] {                                                                \
      const FileUse use(false, site);                                                      \
      if (BUFFER != nullptr) touch(BUFFER, BYTES);                                         \
      return real ARGUMENTS;                                                               \
    };                                                                                     \
    const auto outcome = call();                                                           \
    if (given != nullptr) output.wrote(bytes_written(outcome, BYTES));                     \
    return own_result(outcome, given);                                                     \
  }

MAZURKA_TOUCHING(int, stat, (const char* path, struct stat* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, lstat, (const char* path, struct stat* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstat, (int file, struct stat* result), (file, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstatat, (int directory, const char* path, struct stat* result, int flags),
                 (directory, path, result, flags), result, sizeof *result)
MAZURKA_TOUCHING(int, stat64, (const char* path, struct stat64* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, lstat64, (const char* path, struct stat64* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstat64, (int file, struct stat64* result), (file, result), result, sizeof *result)
MAZURKA_TOUCHING(char*, getcwd, (char* buffer, std::size_t bytes), (buffer, bytes), buffer, bytes)
MAZURKA_TOUCHING(ssize_t, readlink, (const char* path, char* buffer, std::size_t bytes), (path, buffer, bytes), buffer,
                 bytes)

// Functions of the C library that query files. Their system calls write to the program's memory. If the snapshot
// protects the page, the kernel returns EFAULT instead of faulting, so the buffer is touched first.
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <sys/xattr.h>
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
MAZURKA_TOUCHING(ssize_t, readlinkat, (int directory, const char* path, char* buffer, std::size_t bytes),
                 (directory, path, buffer, bytes), buffer, bytes)
MAZURKA_TOUCHING(int, statx, (int directory, const char* path, int flags, unsigned mask, struct statx* result),
                 (directory, path, flags, mask, result), result, sizeof *result)
MAZURKA_TOUCHING(int, statfs, (const char* path, struct statfs* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, statfs64, (const char* path, struct statfs64* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstatfs, (int file, struct statfs* result), (file, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstatfs64, (int file, struct statfs64* result), (file, result), result, sizeof *result)
MAZURKA_TOUCHING(int, statvfs, (const char* path, struct statvfs* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, statvfs64, (const char* path, struct statvfs64* result), (path, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstatvfs, (int file, struct statvfs* result), (file, result), result, sizeof *result)
MAZURKA_TOUCHING(int, fstatvfs64, (int file, struct statvfs64* result), (file, result), result, sizeof *result)
MAZURKA_TOUCHING(ssize_t, getxattr, (const char* path, const char* name, void* value, std::size_t bytes),
                 (path, name, value, bytes), value, bytes)
MAZURKA_TOUCHING(ssize_t, lgetxattr, (const char* path, const char* name, void* value, std::size_t bytes),
                 (path, name, value, bytes), value, bytes)
MAZURKA_TOUCHING(ssize_t, fgetxattr, (int file, const char* name, void* value, std::size_t bytes),
                 (file, name, value, bytes), value, bytes)
MAZURKA_TOUCHING(ssize_t, listxattr, (const char* path, char* names, std::size_t bytes), (path, names, bytes), names,
                 bytes)
MAZURKA_TOUCHING(ssize_t, llistxattr, (const char* path, char* names, std::size_t bytes), (path, names, bytes), names,
                 bytes)
MAZURKA_TOUCHING(ssize_t, flistxattr, (int file, char* names, std::size_t bytes), (file, names, bytes), names, bytes)

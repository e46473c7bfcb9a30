// Functions of the C library that query files. Their system calls write to the program's memory. If the snapshot
// protects the page, the kernel returns EFAULT instead of faulting, so the buffer is touched first.
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/files/file_steps.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"

using namespace mazurka::runtime;

// Defines NAME: a scheduling point that reads files, touches BYTES of BUFFER, then calls the C library's function.
#define MAZURKA_TOUCHING(RESULT, NAME, PARAMETERS, ARGUMENTS, BUFFER, BYTES)               \
  MAZURKA_REPLACEABLE RESULT NAME PARAMETERS {                                             \
    static const auto real = reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)); \
    refuse_channel(descriptor_in ARGUMENTS, #NAME, MAZURKA_SITE);                          \
    const FileUse use(false, MAZURKA_SITE);                                                \
    if (BUFFER != nullptr) touch(BUFFER, BYTES);                                           \
    return real ARGUMENTS;                                                                 \
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

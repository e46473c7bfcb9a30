// A file that is left open would get the next execution another descriptor, and at last none: so what an execution
// opens is closed after it. The random devices are replaced by a file with fixed contents.
#include "runtime/files.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/snapshot.hpp"
#include "runtime/state.hpp"
#include "runtime/text.hpp"
#include "runtime/unsupported.hpp"

namespace mazurka::runtime {
namespace {

constexpr int kDescriptors = 1024;

// Fixed before the snapshot.
bool open_before[kDescriptors];
int end_before;
char random_path[64];

// In the program's memory, so it is false again in the next execution.
bool opened;

long result(long value) {
  opened = true;
  if (value >= 0) return value;
  errno = static_cast<int>(-value);
  return -1;
}

bool is_random_device(const char* path) {
  return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

const char* replaced(const char* path) {
  return path != nullptr && random_path[0] != 0 && is_random_device(path) ? random_path : path;
}

int open_file(int directory, const char* path, int flags, mode_t mode) {
  return static_cast<int>(
      result(raw_syscall(SYS_openat, directory, reinterpret_cast<long>(replaced(path)), flags, mode)));
}

bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & __O_TMPFILE) == __O_TMPFILE; }

void prepare_random_file() {
  constexpr std::size_t kBytes = 1U << 16;
  const long file = raw_syscall(SYS_memfd_create, reinterpret_cast<long>("mazurka-random"), MFD_CLOEXEC);
  if (file < 0) return;
  std::uint64_t state = 42;
  std::uint64_t block[512];
  for (std::size_t i = 0; i < kBytes / sizeof block; ++i) {
    for (std::uint64_t& word : block) word = advance(state);
    raw_syscall(SYS_write, file, reinterpret_cast<long>(block), sizeof block);
  }
  Text(random_path, sizeof random_path) << "/proc/self/fd/" << file;
}

}  // namespace

void prepare_files() {
  prepare_random_file();
  for (int i = 0; i < kDescriptors; ++i) {
    open_before[i] = raw_syscall(SYS_fcntl, i, F_GETFD) >= 0;
    if (open_before[i]) end_before = i + 1;
  }
  opened = false;
}

bool has_opened_files() { return opened; }

void close_files() {
  if (!opened) return;
  for (int i = 0; i < end_before; ++i)
    if (!open_before[i]) raw_syscall(SYS_close, i);
  raw_syscall(SYS_close_range, end_before, ~0U, 0);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_OPEN(NAME, DIRECTORY_PARAMETER, DIRECTORY)                        \
  MAZURKA_EXPORT int NAME(DIRECTORY_PARAMETER const char* path, int flags, ...) { \
    mode_t mode = 0;                                                              \
    if (has_mode(flags)) {                                                        \
      va_list arguments;                                                          \
      va_start(arguments, flags);                                                 \
      mode = va_arg(arguments, mode_t);                                           \
      va_end(arguments);                                                          \
    }                                                                             \
    return open_file(DIRECTORY, path, flags, mode);                               \
  }
#define MAZURKA_COMMA ,
MAZURKA_OPEN(open, , AT_FDCWD)
MAZURKA_OPEN(open64, , AT_FDCWD)
MAZURKA_OPEN(openat, int directory MAZURKA_COMMA, directory)
MAZURKA_OPEN(openat64, int directory MAZURKA_COMMA, directory)

MAZURKA_EXPORT FILE* fopen(const char* path, const char* mode) {
  static const auto real = reinterpret_cast<FILE* (*)(const char*, const char*)>(next_function("fopen"));
  opened = true;
  return real(replaced(path), mode);
}
MAZURKA_EXPORT FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

MAZURKA_EXPORT int pipe2(int* ends, int flags) {
  touch(ends, 2 * sizeof(int));
  return static_cast<int>(result(raw_syscall(SYS_pipe2, reinterpret_cast<long>(ends), flags)));
}
MAZURKA_EXPORT int pipe(int* ends) { return pipe2(ends, 0); }
MAZURKA_EXPORT int dup(int file) { return static_cast<int>(result(raw_syscall(SYS_dup, file))); }
MAZURKA_EXPORT int socket(int domain, int type, int protocol) {
  return static_cast<int>(result(raw_syscall(SYS_socket, domain, type, protocol)));
}
MAZURKA_EXPORT int socketpair(int domain, int type, int protocol, int* ends) {
  touch(ends, 2 * sizeof(int));
  return static_cast<int>(result(raw_syscall(SYS_socketpair, domain, type, protocol, reinterpret_cast<long>(ends))));
}
MAZURKA_EXPORT int eventfd(unsigned count, int flags) {
  return static_cast<int>(result(raw_syscall(SYS_eventfd2, count, flags)));
}

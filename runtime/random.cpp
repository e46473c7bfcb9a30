// Randomness and identity: what differs from run to run elsewhere is the same here, per thread.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/scheduler.hpp"
#include "runtime/snapshot.hpp"
#include "runtime/state.hpp"
#include "runtime/unsupported.hpp"

namespace mazurka::runtime {
namespace {

constexpr pid_t kProcess = 1000;

std::uint64_t advance(std::uint64_t& state) {
  // splitmix64
  std::uint64_t value = state += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

void fill(void* buffer, std::size_t bytes) {
  auto* byte = static_cast<std::uint8_t*>(buffer);
  for (std::size_t i = 0; i < bytes; ++i) byte[i] = static_cast<std::uint8_t>(advance(self().random));
}

bool is_random_device(const char* path) {
  return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

/// A file of fixed bytes that stands for the random devices; opened anew, it starts from its beginning.
const char* random_file() {
  static char path[64];
  static int file = -1;
  if (file >= 0) return path;
  constexpr std::size_t kBytes = 1U << 16;
  file = static_cast<int>(raw_syscall(SYS_memfd_create, reinterpret_cast<long>("mazurka-random"), MFD_CLOEXEC));
  std::uint64_t state = 42;
  std::uint64_t block[64];
  for (std::size_t i = 0; i < kBytes / sizeof block; ++i) {
    for (std::uint64_t& word : block) word = advance(state);
    raw_syscall(SYS_write, file, reinterpret_cast<long>(block), sizeof block);
  }
  char* end = path;
  for (const char* p = "/proc/self/fd/"; *p != 0; ++p) *end++ = *p;
  if (file >= 100) *end++ = static_cast<char>('0' + file / 100 % 10);
  if (file >= 10) *end++ = static_cast<char>('0' + file / 10 % 10);
  *end++ = static_cast<char>('0' + file % 10);
  *end = 0;
  return path;
}

int open_file(int directory, const char* path, int flags, mode_t mode) {
  if (directory == AT_FDCWD && is_random_device(path)) path = random_file();
  const long result = raw_syscall(SYS_openat, directory, reinterpret_cast<long>(path), flags, mode);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & __O_TMPFILE) == __O_TMPFILE; }

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT ssize_t getrandom(void* buffer, std::size_t bytes, unsigned) {
  fill(buffer, bytes);
  return static_cast<ssize_t>(bytes);
}
MAZURKA_EXPORT int getentropy(void* buffer, std::size_t bytes) {
  fill(buffer, bytes);
  return 0;
}
MAZURKA_EXPORT std::uint32_t arc4random() { return static_cast<std::uint32_t>(advance(self().random)); }
MAZURKA_EXPORT void arc4random_buf(void* buffer, std::size_t bytes) { fill(buffer, bytes); }
MAZURKA_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) {
  return bound == 0 ? 0 : static_cast<std::uint32_t>(advance(self().random) % bound);
}
/// std::random_device::_M_getval(), which would ask the processor.
MAZURKA_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void*) {
  return static_cast<unsigned>(advance(self().random));
}

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
  return real(is_random_device(path) ? random_file() : path, mode);
}
MAZURKA_EXPORT FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

MAZURKA_EXPORT pid_t getpid() { return kProcess; }
MAZURKA_EXPORT pid_t getppid() { return 1; }
MAZURKA_EXPORT pid_t gettid() { return kProcess + static_cast<pid_t>(self().index); }
MAZURKA_EXPORT int sched_getcpu() { return 0; }

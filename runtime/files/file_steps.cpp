// Functions of the C library that use files by name or descriptor. Each is a scheduling point (file_use.hpp) and then
// calls the C library's, whose system calls are trapped (system_call_trap.hpp). They are weak: a program may define its
// own.
#include "runtime/files/file_steps.hpp"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/files/file_calls.hpp"
#include "runtime/files/files.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/random.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {
namespace {

int open_file(int directory, const char* path, int flags, mode_t mode, std::uint64_t site) {
  const FileUse use(true, site);  // which descriptor is free depends on other threads
  return static_cast<int>(or_errno(file_call(SYS_openat, site, directory, reinterpret_cast<long>(stands_for(path)),
                                             flags, static_cast<long>(mode))));
}

/// A system call that reads from a file. The buffer is touched first: if it is on a protected page, the kernel returns
/// EFAULT instead of faulting.
ssize_t read_file(bool moves, long number, int file, void* buffer, std::size_t bytes, off_t offset, std::uint64_t site,
                  const Caller& caller) {
  Output output(buffer, bytes, caller);
  long result = 0;
  {
    const FileUse use(moves, site);
    touch(output.address(), bytes);
    result = raw_syscall(number, file, reinterpret_cast<long>(output.address()), static_cast<long>(bytes), offset);
  }
  if (result > 0) output.wrote(static_cast<std::size_t>(result));
  return or_errno(result);
}

bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & __O_TMPFILE) == __O_TMPFILE; }

/// Replaces the six X before the last `suffix` bytes by letters, the same in every execution.
bool name_temporary(char* pattern, int suffix) {
  std::size_t length = 0;
  while (pattern[length] != 0) ++length;
  if (suffix < 0 || length < 6 + static_cast<std::size_t>(suffix)) return false;
  char* letters = pattern + length - static_cast<std::size_t>(suffix) - 6;
  std::uint64_t bits = advance(self().random);
  for (int i = 0; i < 6; ++i, bits /= 36) letters[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[bits % 36];
  return true;
}

bool is_pattern(const char* pattern, int suffix) {
  std::size_t length = 0;
  while (pattern[length] != 0) ++length;
  if (suffix < 0 || length < 6 + static_cast<std::size_t>(suffix)) return false;
  for (std::size_t i = 0; i < 6; ++i)
    if (pattern[length - static_cast<std::size_t>(suffix) - 6 + i] != 'X') return false;
  return true;
}

/// dup2 and dup3 if one of the numbers is not the kernel's.
long replace(int file, int to, int flags, bool may_be_same, std::uint64_t site) {
  if (!is_channel(file) || !is_channel(to))
    unsupported("dup2() of a pipe, socket or the like to the number of a file, or the other way round", site);
  return replace_channel(file, to, flags, may_be_same, site);
}

/// mkstemp and its kin, which would derive names from the clock.
template <class Make>
int make_temporary(char* pattern, int suffix, std::uint64_t site, Make make) {
  if (!is_pattern(pattern, suffix)) return fail_with(EINVAL);
  const FileUse use(true, site);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name_temporary(pattern, suffix);
    const long made = make();
    if (made != -EEXIST) return static_cast<int>(or_errno(made));
  }
  return fail_with(EEXIST);
}

int make_temporary_file(char* pattern, int suffix, int flags, std::uint64_t site) {
  return make_temporary(pattern, suffix, site, [&] {
    return file_call(SYS_openat, site, AT_FDCWD, reinterpret_cast<long>(pattern),
                     (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
  });
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_OPEN(NAME, DIRECTORY_PARAMETER, DIRECTORY)                             \
  MAZURKA_REPLACEABLE int NAME(DIRECTORY_PARAMETER const char* path, int flags, ...) { \
    mode_t mode = 0;                                                                   \
    if (has_mode(flags)) {                                                             \
      va_list arguments;                                                               \
      va_start(arguments, flags);                                                      \
      mode = va_arg(arguments, mode_t);                                                \
      va_end(arguments);                                                               \
    }                                                                                  \
    return open_file(DIRECTORY, path, flags, mode, MAZURKA_SITE);                      \
  }
#define MAZURKA_COMMA ,
MAZURKA_OPEN(open, , AT_FDCWD)
MAZURKA_OPEN(open64, , AT_FDCWD)
MAZURKA_OPEN(openat, int directory MAZURKA_COMMA, directory)
MAZURKA_OPEN(openat64, int directory MAZURKA_COMMA, directory)

MAZURKA_REPLACEABLE ssize_t read(int file, void* buffer, std::size_t bytes) {
  const std::uint64_t site = MAZURKA_SITE;
  if (is_channel(file)) return or_errno(read_channel(file, buffer, bytes, {}, site));
  // It moves the file offset.
  return read_file(true, SYS_read, file, buffer, bytes, 0, site, MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
  return read_file(false, SYS_pread64, file, buffer, bytes, offset, MAZURKA_SITE, MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE ssize_t readv(int file, const iovec* parts, int count) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, const iovec*, int)>(next_function("readv"));
  const std::uint64_t site = MAZURKA_SITE;
  need_trap("readv", site);
  refuse_channel(file, "readv", site);
  ScatteredOutput output(parts, count, MAZURKA_CALLER);
  ssize_t result = 0;
  {
    const FileUse use(true, site);
    for (int i = 0; i < output.count(); ++i) touch(output.parts()[i].iov_base, output.parts()[i].iov_len);
    result = real(file, output.parts(), output.count());
  }
  output.wrote(result);
  return result;
}

// Writes at a place of a file.
#define MAZURKA_WRITE_AT(NAME)                                                                               \
  MAZURKA_REPLACEABLE ssize_t mazurka_file_##NAME(int file, const void* text, std::size_t bytes,             \
                                                  off_t at) __asm__(#NAME);                                  \
  MAZURKA_REPLACEABLE ssize_t mazurka_file_##NAME(int file, const void* text, std::size_t bytes, off_t at) { \
    static const auto real =                                                                                 \
        reinterpret_cast<ssize_t (*)(int, const void*, std::size_t, off_t)>(next_function(#NAME));           \
    const std::uint64_t site = MAZURKA_SITE;                                                                 \
    need_trap(#NAME, site);                                                                                  \
    refuse_channel(file, #NAME, site);                                                                       \
    const Input input(text, bytes, MAZURKA_CALLER);                                                          \
    const FileUse use(true, site);                                                                           \
    return real(file, input.address(), bytes, at);                                                           \
  }
MAZURKA_WRITE_AT(pwrite)
MAZURKA_WRITE_AT(pwrite64)
MAZURKA_REPLACEABLE ssize_t pwritev(int file, const iovec* parts, int count, off_t at) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, const iovec*, int, off_t)>(next_function("pwritev"));
  const std::uint64_t site = MAZURKA_SITE;
  need_trap("pwritev", site);
  refuse_channel(file, "pwritev", site);
  const GatheredInput input(parts, count, MAZURKA_CALLER);
  const FileUse use(true, site);
  return real(file, input.parts(), input.count(), at);
}

// INSTEAD replaces the system call if HERE holds: the descriptor is, or is to be, one of the runtime's channels.
#define MAZURKA_DESCRIPTORS(NAME, PARAMETERS, HERE, INSTEAD, NUMBER, ...)    \
  MAZURKA_REPLACEABLE int mazurka_file_##NAME PARAMETERS __asm__(#NAME);     \
  MAZURKA_REPLACEABLE int mazurka_file_##NAME PARAMETERS {                   \
    const std::uint64_t site = MAZURKA_SITE;                                 \
    if (HERE) return static_cast<int>(or_errno(INSTEAD));                    \
    const FileUse use(true, site);                                           \
    return static_cast<int>(or_errno(file_call(NUMBER, site, __VA_ARGS__))); \
  }
// The same for calls that make two descriptors. These go to `made` first: when their call is over, it writes `ends`.
#define MAZURKA_TWO_DESCRIPTORS(NAME, PARAMETERS, INSTEAD, NUMBER, ...)  \
  MAZURKA_REPLACEABLE int mazurka_file_##NAME PARAMETERS __asm__(#NAME); \
  MAZURKA_REPLACEABLE int mazurka_file_##NAME PARAMETERS {               \
    const std::uint64_t site = MAZURKA_SITE;                             \
    int made[2];                                                         \
    long result = 0;                                                     \
    if (makes_channels()) {                                              \
      result = INSTEAD;                                                  \
    } else {                                                             \
      const FileUse use(true, site);                                     \
      result = file_call(NUMBER, site, __VA_ARGS__);                     \
    }                                                                    \
    if (result == 0) {                                                   \
      MAZURKA_WRITES(ends, sizeof made);                                 \
      copy_bytes(ends, made, sizeof made);                               \
    }                                                                    \
    return static_cast<int>(or_errno(result));                           \
  }
MAZURKA_TWO_DESCRIPTORS(pipe2, (int* ends, int flags), make_pipe(made, flags, site), SYS_pipe2,
                        reinterpret_cast<long>(made), flags)
MAZURKA_TWO_DESCRIPTORS(pipe, (int* ends), make_pipe(made, 0, site), SYS_pipe, reinterpret_cast<long>(made))
MAZURKA_TWO_DESCRIPTORS(socketpair, (int domain, int type, int protocol, int* ends),
                        make_socket_pair(domain, type, protocol, made, site), SYS_socketpair, domain, type, protocol,
                        reinterpret_cast<long>(made))
MAZURKA_DESCRIPTORS(dup, (int file), is_channel(file), duplicate_channel(file, site), SYS_dup, file)
MAZURKA_DESCRIPTORS(dup2, (int file, int to), is_channel(file) || is_channel(to), replace(file, to, 0, true, site),
                    SYS_dup2, file, to)
MAZURKA_DESCRIPTORS(dup3, (int file, int to, int flags), is_channel(file) || is_channel(to),
                    replace(file, to, flags, false, site), SYS_dup3, file, to, flags)
MAZURKA_DESCRIPTORS(close, (int file), is_channel(file), close_channel(file, site), SYS_close, file)
MAZURKA_DESCRIPTORS(socket, (int domain, int type, int protocol), false, 0, SYS_socket, domain, type, protocol)
MAZURKA_DESCRIPTORS(eventfd, (unsigned count, int flags), makes_channels(), make_counter(count, flags, site),
                    SYS_eventfd2, count, flags)
MAZURKA_DESCRIPTORS(fcntl, (int file, int command, long argument), is_channel(file),
                    control_channel(file, command, argument, site), SYS_fcntl, file, command, argument)
MAZURKA_DESCRIPTORS(fcntl64, (int file, int command, long argument), is_channel(file),
                    control_channel(file, command, argument, site), SYS_fcntl, file, command, argument)
MAZURKA_DESCRIPTORS(memfd_create, (const char* name, unsigned flags), false, 0, SYS_memfd_create,
                    reinterpret_cast<long>(name), flags)

MAZURKA_CHANGES(int, mkdir, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGES(int, mkdirat, (int directory, const char* path, mode_t mode), (directory, path, mode))
MAZURKA_CHANGES(int, rmdir, (const char* path), (path))
MAZURKA_CHANGES(int, unlink, (const char* path), (path))
MAZURKA_CHANGES(int, unlinkat, (int directory, const char* path, int flags), (directory, path, flags))
MAZURKA_CHANGES(int, remove, (const char* path), (path))
MAZURKA_CHANGES(int, rename, (const char* from, const char* to), (from, to))
MAZURKA_CHANGES(int, renameat, (int directory, const char* from, int other, const char* to),
                (directory, from, other, to))
MAZURKA_CHANGES(int, renameat2, (int directory, const char* from, int other, const char* to, unsigned flags),
                (directory, from, other, to, flags))
MAZURKA_CHANGES(int, link, (const char* from, const char* to), (from, to))
MAZURKA_CHANGES(int, linkat, (int directory, const char* from, int other, const char* to, int flags),
                (directory, from, other, to, flags))
MAZURKA_CHANGES(int, symlink, (const char* target, const char* path), (target, path))
MAZURKA_CHANGES(int, symlinkat, (const char* target, int directory, const char* path), (target, directory, path))
MAZURKA_CHANGES(int, mknod, (const char* path, mode_t mode, dev_t device), (path, mode, device))
MAZURKA_CHANGES(int, mknodat, (int directory, const char* path, mode_t mode, dev_t device),
                (directory, path, mode, device))
MAZURKA_CHANGES(int, mkfifo, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGES(int, mkfifoat, (int directory, const char* path, mode_t mode), (directory, path, mode))
MAZURKA_CHANGES(int, creat, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGES(int, creat64, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGES(int, truncate, (const char* path, off_t size), (path, size))
MAZURKA_CHANGES(int, truncate64, (const char* path, off_t size), (path, size))
MAZURKA_CHANGES(int, ftruncate, (int file, off_t size), (file, size))
MAZURKA_CHANGES(int, ftruncate64, (int file, off_t size), (file, size))
MAZURKA_CHANGES(int, fallocate, (int file, int mode, off_t begin, off_t size), (file, mode, begin, size))
MAZURKA_CHANGES(int, fallocate64, (int file, int mode, off_t begin, off_t size), (file, mode, begin, size))
MAZURKA_CHANGES(int, posix_fallocate, (int file, off_t begin, off_t size), (file, begin, size))
MAZURKA_CHANGES(int, posix_fallocate64, (int file, off_t begin, off_t size), (file, begin, size))
MAZURKA_CHANGES(int, chmod, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGES(int, fchmod, (int file, mode_t mode), (file, mode))
MAZURKA_CHANGES(int, fchmodat, (int directory, const char* path, mode_t mode, int flags),
                (directory, path, mode, flags))
MAZURKA_CHANGES(int, chown, (const char* path, uid_t user, gid_t group), (path, user, group))
MAZURKA_CHANGES(int, fchown, (int file, uid_t user, gid_t group), (file, user, group))
MAZURKA_CHANGES(int, lchown, (const char* path, uid_t user, gid_t group), (path, user, group))
MAZURKA_CHANGES(int, fchownat, (int directory, const char* path, uid_t user, gid_t group, int flags),
                (directory, path, user, group, flags))
MAZURKA_CHANGES(int, utime, (const char* path, const utimbuf* times), (path, times))
MAZURKA_CHANGES(int, utimes, (const char* path, const timeval* times), (path, times))
MAZURKA_CHANGES(int, lutimes, (const char* path, const timeval* times), (path, times))
MAZURKA_CHANGES(int, futimes, (int file, const timeval* times), (file, times))
MAZURKA_CHANGES(int, futimens, (int file, const timespec* times), (file, times))
MAZURKA_CHANGES(int, utimensat, (int directory, const char* path, const timespec* times, int flags),
                (directory, path, times, flags))
MAZURKA_CHANGES(ssize_t, copy_file_range,
                (int from, off_t* at, int to, off_t* to_at, std::size_t bytes, unsigned flags),
                (from, at, to, to_at, bytes, flags))
MAZURKA_CHANGES(ssize_t, sendfile, (int to, int from, off_t* at, std::size_t bytes), (to, from, at, bytes))
MAZURKA_CHANGES(ssize_t, sendfile64, (int to, int from, off_t* at, std::size_t bytes), (to, from, at, bytes))
MAZURKA_CHANGES(off_t, lseek, (int file, off_t offset, int from), (file, offset, from))
MAZURKA_CHANGES(off_t, lseek64, (int file, off_t offset, int from), (file, offset, from))
MAZURKA_CHANGES(int, chdir, (const char* path), (path))
MAZURKA_CHANGES(int, fchdir, (int file), (file))
MAZURKA_CHANGES(mode_t, umask, (mode_t mask), (mask))
MAZURKA_CHANGES(int, flock, (int file, int operation), (file, operation))
MAZURKA_CHANGES(int, lockf, (int file, int command, off_t bytes), (file, command, bytes))
MAZURKA_CHANGES(int, lockf64, (int file, int command, off_t bytes), (file, command, bytes))
MAZURKA_CHANGES(int, shm_open, (const char* name, int flags, mode_t mode), (name, flags, mode))
MAZURKA_CHANGES(int, shm_unlink, (const char* name), (name))
MAZURKA_CHANGES(DIR*, opendir, (const char* path), (path))
MAZURKA_CHANGES(DIR*, fdopendir, (int file), (file))
MAZURKA_CHANGES(int, closedir, (DIR * folder), (folder))
MAZURKA_CHANGES(dirent*, readdir, (DIR * folder), (folder))
MAZURKA_CHANGES(dirent64*, readdir64, (DIR * folder), (folder))

MAZURKA_CHANGES(void, rewinddir, (DIR * folder), (folder))
MAZURKA_CHANGES(void, seekdir, (DIR * folder, long place), (folder, place))
MAZURKA_LOOKS(long, telldir, (DIR * folder), (folder))

MAZURKA_CHANGES(int, glob, (const char* pattern, int flags, int (*failed)(const char*, int), glob_t* result),
                (pattern, flags, failed, result))
MAZURKA_CHANGES(int, glob64, (const char* pattern, int flags, int (*failed)(const char*, int), glob64_t* result),
                (pattern, flags, failed, result))
MAZURKA_LOOKS(int, eaccess, (const char* path, int mode), (path, mode))
MAZURKA_LOOKS(long, pathconf, (const char* path, int name), (path, name))
MAZURKA_LOOKS(long, fpathconf, (int file, int name), (file, name))
MAZURKA_LOOKS(key_t, ftok, (const char* path, int project), (path, project))
MAZURKA_LOOKS(char*, canonicalize_file_name, (const char* path), (path))
MAZURKA_LOOKS(int, access, (const char* path, int mode), (path, mode))
MAZURKA_LOOKS(int, euidaccess, (const char* path, int mode), (path, mode))
MAZURKA_LOOKS(int, faccessat, (int directory, const char* path, int mode, int flags), (directory, path, mode, flags))
MAZURKA_LOOKS(char*, realpath, (const char* path, char* buffer), (path, buffer))

// The function that it calls for each file is the program's: its steps cannot be inside another.
#define MAZURKA_WALK(NAME, PARAMETERS, ARGUMENTS)                                        \
  MAZURKA_REPLACEABLE int mazurka_file_##NAME PARAMETERS __asm__(#NAME);                 \
  MAZURKA_REPLACEABLE int mazurka_file_##NAME PARAMETERS {                               \
    static const auto real = reinterpret_cast<int(*) PARAMETERS>(next_function(#NAME));  \
    if (lives_may_race()) unsupported(#NAME "() while there are threads", MAZURKA_SITE); \
    return real ARGUMENTS;                                                               \
  }
MAZURKA_WALK(ftw, (const char* path, void* visit, int limit), (path, visit, limit))
MAZURKA_WALK(ftw64, (const char* path, void* visit, int limit), (path, visit, limit))
MAZURKA_WALK(nftw, (const char* path, void* visit, int limit, int flags), (path, visit, limit, flags))
MAZURKA_WALK(nftw64, (const char* path, void* visit, int limit, int flags), (path, visit, limit, flags))

MAZURKA_REPLACEABLE int mkstemp(char* pattern) { return make_temporary_file(pattern, 0, 0, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int mkstemp64(char* pattern) { return make_temporary_file(pattern, 0, 0, MAZURKA_SITE); }
MAZURKA_REPLACEABLE int mkostemp(char* pattern, int flags) {
  return make_temporary_file(pattern, 0, flags, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int mkostemp64(char* pattern, int flags) {
  return make_temporary_file(pattern, 0, flags, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int mkstemps(char* pattern, int suffix) {
  return make_temporary_file(pattern, suffix, 0, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int mkstemps64(char* pattern, int suffix) {
  return make_temporary_file(pattern, suffix, 0, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE char* mkdtemp(char* pattern) {
  const std::uint64_t site = MAZURKA_SITE;
  const int made = make_temporary(pattern, 0, site,
                                  [&] { return file_call(SYS_mkdir, site, reinterpret_cast<long>(pattern), 0700); });
  return made < 0 ? nullptr : pattern;
}

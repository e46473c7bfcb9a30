#include "runtime/files/file_changes.hpp"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "runtime/arch.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using protocol::kPathBytes;
using protocol::Undo;
using protocol::UndoRecord;

struct Noted {
  std::uint64_t device;
  std::uint64_t inode;
  bool is_new;  ///< created in this execution: its contents need not be restored
};

// In the program's memory, so that the snapshot resets it.
constexpr std::uint32_t kMostNoted = 4096;
Noted noted[kMostNoted];
std::uint32_t noted_count;

// Fixed before the snapshot.
protocol::UndoMark start;

protocol::UndoLog& undo_log() { return worker.channel->undo; }

struct Call {
  template <class... Arguments>
  long operator()(long number, Arguments... arguments) const {
    return raw_syscall(number, arguments...);
  }
};

[[noreturn]] void refuse(const char* call, const char* why, std::uint64_t site) {
  char text[256];
  Text(text, sizeof text) << call << "() " << why;
  unsupported(text, site);
}

const Noted* find(const struct stat& what) {
  for (std::uint32_t i = 0; i < noted_count; ++i)
    if (noted[i].inode == what.st_ino && noted[i].device == what.st_dev) return &noted[i];
  return nullptr;
}

/// The saved contents of a file in the backup.
struct Contents {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

void add(Undo kind, const char* path, const char* second, const struct stat& what, const char* call, std::uint64_t site,
         const Contents& contents = {}) {
  if (!worker.channel->settings.alone)
    refuse(call, "while several workers execute the program, which would see each other's files (use -j 1)", site);
  protocol::UndoLog& log = undo_log();
  const auto path_bytes = static_cast<std::uint32_t>(length_of(path) + 1);
  const auto second_bytes = static_cast<std::uint32_t>(length_of(second) + 1);
  const auto bytes = static_cast<std::uint32_t>((sizeof(UndoRecord) + path_bytes + second_bytes + 7) & ~7UL);
  if (log.length + bytes > protocol::kUndoBytes) refuse(call, "after more changes to files than can be undone", site);
  auto& record = *reinterpret_cast<UndoRecord*>(log.records + log.length);
  record = {};
  record.bytes = bytes;
  record.last_before = log.last;
  record.kind = kind;
  record.mode = what.st_mode;
  record.user = what.st_uid;
  record.group = what.st_gid;
  record.path_bytes = path_bytes;
  record.device = what.st_dev;
  record.inode = what.st_ino;
  record.contents = contents.begin;
  record.size = contents.size;
  record.times[0] = what.st_atim.tv_sec;
  record.times[1] = what.st_atim.tv_nsec;
  record.times[2] = what.st_mtim.tv_sec;
  record.times[3] = what.st_mtim.tv_nsec;
  copy_bytes(const_cast<char*>(record.path()), path, path_bytes);
  copy_bytes(const_cast<char*>(record.second()), second, second_bytes);
  record.checksum = checksum_of(record);
  // Publishes the record atomically: whoever reads the log of a dead worker finds the whole record or nothing.
  const protocol::UndoEnd end{log.length + bytes, bytes};
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(&static_cast<protocol::UndoEnd&>(log)),
                   __builtin_bit_cast(std::uint64_t, end), __ATOMIC_RELEASE);
}

/// File systems whose files do not consist of bytes that could be restored.
bool is_special(long file) {
  struct statfs system {};
  if (raw_syscall(SYS_fstatfs, file, reinterpret_cast<long>(&system)) != 0) return true;
  switch (system.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
    case BPF_FS_MAGIC: return true;
    default: return false;
  }
}

Contents copy_contents(const char* path, std::uint64_t size, const char* call, std::uint64_t site) {
  protocol::UndoLog& log = undo_log();
  if (size > protocol::kBackupBytes - log.backup_length) refuse(call, "of more than 256 MiB of files", site);
  const long from = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC, 0);
  if (from < 0) refuse(call, "of a file that cannot be read, and so not be restored", site);
  if (is_special(from)) {
    raw_syscall(SYS_close, from);
    refuse(call, "of a file of the kernel", site);
  }
  char buffer[16384];
  std::uint64_t done = 0;
  bool good = true;
  while (good) {
    const long count = raw_syscall(SYS_read, from, reinterpret_cast<long>(buffer), sizeof buffer);
    if (count == 0) break;
    good = count > 0 && log.backup_length + done + static_cast<std::uint64_t>(count) <= protocol::kBackupBytes &&
           raw_syscall(SYS_pwrite64, log.backup_file, reinterpret_cast<long>(buffer), count,
                       static_cast<long>(log.backup_length + done)) == count;
    done += static_cast<std::uint64_t>(good ? count : 0);
  }
  raw_syscall(SYS_close, from);
  if (!good) refuse(call, "of a file that cannot be copied, and so not be restored", site);
  const Contents result{log.backup_length, done};
  log.backup_length += done;
  return result;
}

}  // namespace

Change::Change() : mark_(undo_log()) {}

long Change::made(long result) const {
  protocol::UndoLog& log = undo_log();
  if (result < 0) {
    static_cast<protocol::UndoMark&>(log) = mark_;
    return result;
  }
  for (std::uint32_t at = mark_.length; at < log.length;) {
    auto& record = *reinterpret_cast<UndoRecord*>(log.records + at);
    record.done = 1;
    at += record.bytes;
  }
  return result;
}

bool make_absolute(int directory, const char* path, char* absolute) {
  if (path == nullptr || path[0] == 0) return false;
  std::size_t length = 0;
  if (path[0] != '/') {
    if (directory == AT_FDCWD) {
      const long bytes = raw_syscall(SYS_getcwd, reinterpret_cast<long>(absolute), kPathBytes);
      if (bytes <= 0 || absolute[0] != '/') return false;
      length = static_cast<std::size_t>(bytes) - 1;
    } else {
      if (!path_of_descriptor(directory, absolute)) return false;
      length = length_of(absolute);
    }
    if (length + 1 < kPathBytes) absolute[length++] = '/';
  }
  const std::size_t bytes = length_of(path) + 1;
  if (length + bytes > kPathBytes) return false;
  copy_bytes(absolute + length, path, bytes);
  return true;
}

bool path_of_descriptor(int file, char* path) {
  char link[64];
  Text(link, sizeof link) << "/proc/self/fd/" << file;
  const long length =
      raw_syscall(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>(link), reinterpret_cast<long>(path), kPathBytes - 1);
  if (length <= 0 || path[0] != '/') return false;
  path[length] = 0;
  struct stat named {};
  struct stat open {};
  return look_at(path, named, true) && raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&open)) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

bool look_at(const char* path, struct stat& result, bool follow_links) {
  return raw_syscall(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path), reinterpret_cast<long>(&result),
                     follow_links ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
}

bool is_noted(const struct stat& what) { return find(what) != nullptr; }

void mark_noted(const struct stat& what, bool is_new, std::uint64_t site) {
  if (find(what) != nullptr) return;
  if (noted_count == kMostNoted) unsupported("changing more than 4096 files", site);
  noted[noted_count++] = {what.st_dev, what.st_ino, is_new};
}

void note_folder_of(const char* path, const char* call, std::uint64_t site) {
  char folder[kPathBytes];
  copy_bytes(folder, path, length_of(path) + 1);
  std::size_t end = length_of(folder);
  while (end > 1 && folder[end - 1] == '/') --end;
  while (end > 1 && folder[end - 1] != '/') --end;
  folder[end] = 0;
  struct stat what {};
  if (!look_at(folder, what, true) || find(what) != nullptr) return;
  add(Undo::Attributes, folder, "", what, call, site);
  mark_noted(what, false, site);
}

void note_creation(const char* path, const char* call, std::uint64_t site) {
  add(Undo::Remove, path, "", {}, call, site);
}

void note_removal(const char* path, const struct stat& what, const char* call, std::uint64_t site) {
  char target[kPathBytes];
  target[0] = 0;
  if (S_ISLNK(what.st_mode)) {
    const long length = raw_syscall(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>(path),
                                    reinterpret_cast<long>(target), sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
  } else if (S_ISREG(what.st_mode)) {
    if (what.st_nlink > 1) refuse(call, "of a file that has other names", site);
  } else if (!S_ISDIR(what.st_mode) && !S_ISFIFO(what.st_mode)) {
    refuse(call, "of a device or a socket", site);
  }
  const Noted* known = find(what);
  Contents contents;
  if (S_ISREG(what.st_mode) && (known == nullptr || !known->is_new))
    contents = copy_contents(path, static_cast<std::uint64_t>(what.st_size), call, site);
  add(Undo::Recreate, path, target, what, call, site, contents);
}

void note_renaming(const char* from, const char* to, const struct stat& what, bool exchange, const char* call,
                   std::uint64_t site) {
  add(exchange ? Undo::Exchange : Undo::Rename, from, to, what, call, site);
}

void note_attributes(const char* path, const struct stat& what, const char* call, std::uint64_t site) {
  add(Undo::Attributes, path, "", what, call, site);
}

void note_contents(const char* path, const struct stat& what, const char* call, std::uint64_t site) {
  if (find(what) != nullptr) return;
  const Contents contents = copy_contents(path, static_cast<std::uint64_t>(what.st_size), call, site);
  add(Undo::Rewrite, path, "", what, call, site, contents);
  mark_noted(what, false, site);
}

void keep_changes() {
  start = undo_log();
  noted_count = 0;
}

const char* undo_changes() {
  protocol::UndoLog& log = undo_log();
  if (log.length <= start.length) return nullptr;
  return protocol::Restorer<Call>(Call{}).undo(log, start);
}

}  // namespace mazurka::runtime

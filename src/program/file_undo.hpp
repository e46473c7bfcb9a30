// The undo log of file system changes. Every change is recorded in a log in shared memory before it is made, with what
// is needed to undo it; saved contents go to an anonymous file that both sides have open. Records are undone in reverse
// order, so that every path means what it meant when it was recorded. The worker does so after each execution, the
// explorer for a worker that died. The runtime inside the program under test includes this file, so it only needs
// system calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace mazurka::protocol {

inline constexpr std::uint32_t kUndoBytes = 1U << 20;
inline constexpr std::uint64_t kBackupBytes = 1ULL << 28;  // of saved contents
inline constexpr std::uint32_t kPathBytes = 4096;

enum class Undo : std::uint32_t {
  Remove,      ///< the path did not exist
  Recreate,    ///< it did, and was removed or replaced
  Rewrite,     ///< the contents of the file may have changed
  Rename,      ///< `path` was renamed to `second`
  Exchange,    ///< `path` and `second` were exchanged
  Attributes,  ///< mode, owner and times; of a link's target
};

/// Followed by `path` and `second`, both zero-terminated.
struct UndoRecord {
  std::uint32_t bytes;        ///< including the paths, a multiple of 8
  std::uint32_t last_before;  ///< `bytes` of the previous record
  Undo kind;
  std::uint32_t mode;  ///< including the file type
  std::uint32_t user;
  std::uint32_t group;
  std::uint32_t path_bytes;
  std::uint32_t done;  ///< 0: recorded, but perhaps not made yet
  std::uint64_t device;
  std::uint64_t inode;
  std::uint64_t contents;  ///< offset of the saved contents in the backup file
  std::uint64_t size;
  std::int64_t times[4];  ///< access and modification time: seconds and nanoseconds

  std::uint64_t checksum;  ///< over everything but `done`

  const char* path() const { return reinterpret_cast<const char*>(this + 1); }
  const char* second() const { return path() + path_bytes; }
};

/// The end of the log. Both words are updated atomically, as one.
struct alignas(8) UndoEnd {
  std::uint32_t length;
  std::uint32_t last;  ///< `bytes` of the last record
};
struct UndoMark : UndoEnd {
  std::uint64_t backup_length;
};

struct UndoLog : UndoMark {
  std::int32_t backup_file;  ///< its descriptor in the process that undoes the log
  alignas(8) char records[kUndoBytes];
};

/// \pre The other fields and the paths are complete.
inline std::uint64_t checksum_of(const UndoRecord& record) {
  constexpr std::uint64_t kPrime = 0x100000001b3;  // FNV-1a
  UndoRecord fixed = record;
  fixed.done = 0;
  fixed.checksum = 0;
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](const void* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * kPrime;
  };
  add(&fixed, sizeof fixed);
  add(record.path(), record.bytes - sizeof record);
  return hash;
}

/// Whether a runtime wrote the log, rather than the program overwriting it: undoing a corrupt log could remove
/// arbitrary files.
inline bool is_sound(const UndoLog& log) {
  UndoEnd end = log;
  if (end.length > kUndoBytes) return false;
  while (end.length > 0) {
    if (end.last < sizeof(UndoRecord) || end.last > end.length || end.last % alignof(UndoRecord) != 0) return false;
    const auto& record = *reinterpret_cast<const UndoRecord*>(log.records + end.length - end.last);
    if (record.bytes != end.last || record.checksum != checksum_of(record)) return false;
    end = {end.length - end.last, record.last_before};
  }
  return true;
}

/// Undoes a log. `Call` makes a system call and returns the kernel's result: errors are negative.
template <class Call>
class Restorer {
 public:
  explicit Restorer(Call call) : call_(call) {}

  /// Undoes all records after `mark`. Returns the path that could not be restored, or null.
  const char* undo(UndoLog& log, const UndoMark& mark) const {
    while (log.length > mark.length) {
      const auto& record = *reinterpret_cast<const UndoRecord*>(log.records + log.length - log.last);
      if (!undo(record, log.backup_file)) return record.path();
      static_cast<UndoEnd&>(log) = {log.length - log.last, record.last_before};
    }
    log.backup_length = mark.backup_length;
    return nullptr;
  }

 private:
  static constexpr std::size_t kBuffer = 16384;

  template <class... Arguments>
  long call(long number, Arguments... arguments) const {
    return call_(number, (long)(arguments)...);  // NOLINT: pointers and numbers alike
  }

  bool undo(const UndoRecord& record, int backup) const {
    struct stat now {};
    const bool exists = call(SYS_newfstatat, AT_FDCWD, record.path(), &now, AT_SYMLINK_NOFOLLOW) == 0;
    switch (record.kind) {
      case Undo::Remove: return !exists || remove(record.path(), now.st_mode);
      case Undo::Recreate:
        if (record.done == 0 && exists && is(now, record)) return true;
        // What exists now comes from an undo that was interrupted.
        if (exists && !(S_ISDIR(now.st_mode) && S_ISDIR(record.mode)) && !remove(record.path(), now.st_mode))
          return false;
        return create(record, exists) && write(record, backup) && set_attributes(record);
      case Undo::Rewrite: return write(record, backup) && set_attributes(record);
      case Undo::Rename:
      case Undo::Exchange: {
        // If it was removed after the renaming, undo has recreated it since, as a different file.
        const bool may_differ = record.done != 0 && record.kind == Undo::Rename;
        if (call(SYS_newfstatat, AT_FDCWD, record.second(), &now, AT_SYMLINK_NOFOLLOW) != 0 ||
            !(may_differ || is(now, record)))
          return exists;  // it was not made, or is already undone
        constexpr long kExchange = 2;
        return call(SYS_renameat2, AT_FDCWD, record.second(), AT_FDCWD, record.path(),
                    record.kind == Undo::Exchange ? kExchange : 0) == 0;
      }
      case Undo::Attributes: return set_attributes(record);
    }
    return false;
  }

  static bool is(const struct stat& file, const UndoRecord& record) {
    return file.st_dev == record.device && file.st_ino == record.inode;
  }

  bool remove(const char* path, mode_t mode) const {
    return call(SYS_unlinkat, AT_FDCWD, path, S_ISDIR(mode) ? AT_REMOVEDIR : 0) == 0;
  }

  bool create(const UndoRecord& record, bool exists) const {
    if (S_ISDIR(record.mode)) return exists || call(SYS_mkdirat, AT_FDCWD, record.path(), 0700) == 0;
    if (S_ISLNK(record.mode)) return call(SYS_symlinkat, record.second(), AT_FDCWD, record.path()) == 0;
    return call(SYS_mknodat, AT_FDCWD, record.path(), (record.mode & S_IFMT) | 0600, 0) == 0;
  }

  bool write(const UndoRecord& record, int backup) const {
    if (!S_ISREG(record.mode)) return true;
    const long file = call(SYS_openat, AT_FDCWD, record.path(), O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return false;
    char buffer[kBuffer];
    bool good = true;
    for (std::uint64_t at = 0; at < record.size && good;) {
      const std::uint64_t left = record.size - at;
      const long count = call(SYS_pread64, backup, buffer, left < kBuffer ? left : kBuffer, record.contents + at);
      good = count > 0 && call(SYS_pwrite64, file, buffer, count, at) == count;
      at += static_cast<std::uint64_t>(good ? count : 0);
    }
    good = good && call(SYS_ftruncate, file, record.size) == 0;
    call(SYS_close, file);
    return good;
  }

  bool set_attributes(const UndoRecord& record) const {
    const int flags = S_ISLNK(record.mode) ? AT_SYMLINK_NOFOLLOW : 0;
    struct stat now {};
    if (call(SYS_newfstatat, AT_FDCWD, record.path(), &now, flags) != 0) return false;
    if ((now.st_uid != record.user || now.st_gid != record.group) &&
        call(SYS_fchownat, AT_FDCWD, record.path(), record.user, record.group, flags) != 0)
      return false;
    if (!S_ISLNK(record.mode) && (now.st_mode & 07777) != (record.mode & 07777) &&
        call(SYS_fchmodat, AT_FDCWD, record.path(), record.mode & 07777) != 0)
      return false;
    const timespec times[2] = {{record.times[0], record.times[1]}, {record.times[2], record.times[3]}};
    return call(SYS_utimensat, AT_FDCWD, record.path(), times, flags) == 0;
  }

  Call call_;
};

}  // namespace mazurka::protocol

#include "runtime/files/file_calls.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "runtime/arch.hpp"
#include "runtime/files/file_changes.hpp"
#include "runtime/files/files.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using protocol::kPathBytes;

/// A system call being handled.
struct FileCall {
  long number;
  const long* arguments;
  std::uint64_t site;
  const char* name;

  long make() const {
    const long* a = arguments;
    return raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  [[noreturn]] void refuse(const char* why = "") const {
    char text[256];
    Text(text, sizeof text) << name << "()" << why;
    unsupported(text, site);
  }
};

const char* text_at(long address) { return reinterpret_cast<const char*>(address); }

/// Creates a directory, link, pipe or socket where nothing exists.
long create(const FileCall& call, int directory, const char* path, bool is_new) {
  char full[kPathBytes];
  struct stat what {};
  if (!make_absolute(directory, path, full) || look_at(full, what, false)) return call.make();
  note_folder_of(full, call.name, call.site);
  const Change change;
  note_creation(full, call.name, call.site);
  const long result = change.made(call.make());
  if (result >= 0 && is_new && look_at(full, what, false)) mark_noted(what, true, call.site);
  return result;
}

long make_node(const FileCall& call, int directory, const char* path, mode_t mode) {
  if (S_ISCHR(mode) || S_ISBLK(mode)) call.refuse(" of a device");
  return create(call, directory, path, true);
}

long remove(const FileCall& call, int directory, const char* path) {
  char full[kPathBytes];
  struct stat what {};
  if (!make_absolute(directory, path, full) || !look_at(full, what, false)) return call.make();
  if (is_open_in_test(what)) call.refuse(" of a file that was open before the closure");
  note_folder_of(full, call.name, call.site);
  const Change change;
  note_removal(full, what, call.name, call.site);
  return change.made(call.make());
}

long rename(const FileCall& call, int from_directory, const char* from, int to_directory, const char* to, long flags) {
  char old_path[kPathBytes];
  char new_path[kPathBytes];
  struct stat moved {};
  struct stat replaced {};
  if (!make_absolute(from_directory, from, old_path) || !make_absolute(to_directory, to, new_path) ||
      !look_at(old_path, moved, false))
    return call.make();
  if ((flags & ~(RENAME_NOREPLACE | RENAME_EXCHANGE)) != 0) call.refuse(" with RENAME_WHITEOUT");
  const bool exists = look_at(new_path, replaced, false);
  if (exists && replaced.st_ino == moved.st_ino && replaced.st_dev == moved.st_dev) return call.make();
  if (exists && flags == 0 && is_open_in_test(replaced)) call.refuse(" onto a file that was open before the closure");
  note_folder_of(old_path, call.name, call.site);
  note_folder_of(new_path, call.name, call.site);
  const Change change;
  if (exists && flags == 0) note_removal(new_path, replaced, call.name, call.site);
  note_renaming(old_path, new_path, moved, (flags & RENAME_EXCHANGE) != 0, call.name, call.site);
  return change.made(call.make());
}

/// Mode, owner or times of what a path leads to.
long set_attributes(const FileCall& call, int directory, const char* path, bool follow_links) {
  char full[kPathBytes];
  struct stat what {};
  const bool of_descriptor = path == nullptr || path[0] == 0;
  if (of_descriptor) {
    if (raw_syscall(SYS_fstat, directory, reinterpret_cast<long>(&what)) != 0) return call.make();
    if (!path_of_descriptor(directory, full)) {
      if (!is_noted(what)) call.refuse(" of a file without a name");
      return call.make();  // it disappears with its descriptor
    }
  } else if (!make_absolute(directory, path, full) || !look_at(full, what, follow_links)) {
    return call.make();
  }
  const Change change;
  note_attributes(full, what, call.name, call.site);
  return change.made(call.make());
}

/// The contents of an open file are about to change.
long write_to(const FileCall& call, int file) {
  struct stat what {};
  if (is_output(file) || raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&what)) != 0 || !S_ISREG(what.st_mode) ||
      is_noted(what))
    return call.make();
  const long flags = raw_syscall(SYS_fcntl, file, F_GETFL);
  if ((flags & O_ACCMODE) == O_RDONLY) return call.make();  // fails
  char path[kPathBytes];
  if (!path_of_descriptor(file, path)) call.refuse(" to a file without a name that was opened before main");
  note_contents(path, what, call.name, call.site);
  return call.make();
}

long truncate(const FileCall& call, const char* path) {
  char full[kPathBytes];
  struct stat what {};
  if (make_absolute(AT_FDCWD, path, full) && look_at(full, what, true) && S_ISREG(what.st_mode))
    note_contents(full, what, call.name, call.site);
  return call.make();
}

long open_for_writing(const FileCall& call, int directory, const char* path, long flags) {
  char full[kPathBytes];
  struct stat what {};
  if (!make_absolute(directory, path, full)) return call.make();
  if ((flags & __O_TMPFILE) == __O_TMPFILE) {  // without a name: disappears with its descriptor
    const long file = call.make();
    if (file >= 0 && raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&what)) == 0)
      mark_noted(what, true, call.site);
    return file;
  }
  if (!look_at(full, what, true)) {
    if ((flags & O_CREAT) == 0) return call.make();
    if (look_at(full, what, false)) call.refuse(" of a link to a file that does not exist");
    return create(call, directory, path, true);
  }
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
  if (!writes || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) return call.make();
  if (S_ISREG(what.st_mode)) note_contents(full, what, call.name, call.site);
  if (S_ISFIFO(what.st_mode) || S_ISBLK(what.st_mode)) call.refuse(" of a named pipe or a disk");
  return call.make();
}

long open(const FileCall& call, int directory, const char* path, long flags) {
  const char* instead = stands_for(path);
  if (instead != path) return raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(instead), flags, 0);
  const bool is_reading = (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY || (flags & O_PATH) != 0;
  return is_reading ? call.make() : open_for_writing(call, directory, path, flags);
}

long bind(const FileCall& call, const sockaddr_un* address, long bytes) {
  constexpr long kPath = offsetof(sockaddr_un, sun_path);
  if (address == nullptr || bytes <= kPath || address->sun_family != AF_UNIX || address->sun_path[0] == 0)
    return call.make();
  char path[sizeof address->sun_path + 1] = {};
  const long length = bytes - kPath;
  copy_bytes(path, address->sun_path,
             static_cast<std::size_t>(length) < sizeof path ? static_cast<std::size_t>(length) : sizeof path - 1);
  return create(call, AT_FDCWD, path, true);
}

constexpr long kCloseRange = 436;
constexpr long kFchmodat2 = 452;

/// Whether the first argument of a system call, other than those that transfer bytes, is a descriptor.
bool is_on_descriptor(long number) {
  switch (number) {
    case SYS_close:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_fcntl:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fchdir:
    case SYS_getdents64: return true;
    default: return false;
  }
}

long make_call(const FileCall& call) {
  const long* a = call.arguments;
  const auto directory = static_cast<int>(a[0]);
  const auto mode = [](long value) { return static_cast<mode_t>(value); };
  const bool transfers = call.number == SYS_read || call.number == SYS_readv || call.number == SYS_write ||
                         call.number == SYS_writev || call.number == SYS_sendfile;
  if (transfers && leads_outside(directory)) call.refuse(" of a pipe or socket that was open before the closure");
  if ((transfers || is_on_descriptor(call.number)) && is_channel(directory))
    call.refuse(" of a pipe, socket, event counter or timer");
  switch (call.number) {
    case SYS_open: return note_descriptor(open(call, AT_FDCWD, text_at(a[0]), a[1]));
    case SYS_openat: return note_descriptor(open(call, directory, text_at(a[1]), a[2]));
    case SYS_creat: return note_descriptor(open(call, AT_FDCWD, text_at(a[0]), O_CREAT | O_WRONLY | O_TRUNC));

    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_sendfile: return write_to(call, directory);
    case SYS_splice:
    case SYS_copy_file_range: return write_to(call, static_cast<int>(a[2]));
    case SYS_truncate: return truncate(call, text_at(a[0]));

    case SYS_mkdir:
    case SYS_mknod: return make_node(call, AT_FDCWD, text_at(a[0]), call.number == SYS_mknod ? mode(a[1]) : S_IFDIR);
    case SYS_mkdirat:
    case SYS_mknodat:
      return make_node(call, directory, text_at(a[1]), call.number == SYS_mknodat ? mode(a[2]) : S_IFDIR);
    case SYS_symlink: return create(call, AT_FDCWD, text_at(a[1]), true);
    case SYS_symlinkat: return create(call, static_cast<int>(a[1]), text_at(a[2]), true);
    case SYS_link: return create(call, AT_FDCWD, text_at(a[1]), false);
    case SYS_linkat: return create(call, static_cast<int>(a[2]), text_at(a[3]), false);
    case SYS_bind: return bind(call, reinterpret_cast<const sockaddr_un*>(a[1]), a[2]);

    case SYS_unlink:
    case SYS_rmdir: return remove(call, AT_FDCWD, text_at(a[0]));
    case SYS_unlinkat: return remove(call, directory, text_at(a[1]));
    case SYS_rename: return rename(call, AT_FDCWD, text_at(a[0]), AT_FDCWD, text_at(a[1]), 0);
    case SYS_renameat: return rename(call, directory, text_at(a[1]), static_cast<int>(a[2]), text_at(a[3]), 0);
    case SYS_renameat2: return rename(call, directory, text_at(a[1]), static_cast<int>(a[2]), text_at(a[3]), a[4]);

    case SYS_chmod:
    case SYS_chown:
    case SYS_utime:
    case SYS_utimes: return set_attributes(call, AT_FDCWD, text_at(a[0]), true);
    case SYS_lchown: return set_attributes(call, AT_FDCWD, text_at(a[0]), false);
    case SYS_fchmod:
    case SYS_fchown: return set_attributes(call, directory, nullptr, true);
    case SYS_fchmodat:
    case SYS_futimesat: return set_attributes(call, directory, text_at(a[1]), true);
    case SYS_utimensat:
    case kFchmodat2: return set_attributes(call, directory, text_at(a[1]), (a[3] & AT_SYMLINK_NOFOLLOW) == 0);
    case SYS_fchownat: return set_attributes(call, directory, text_at(a[1]), (a[4] & AT_SYMLINK_NOFOLLOW) == 0);

    case SYS_chdir:
    case SYS_fchdir: note_folder_change(); return call.make();
    case SYS_umask: note_mask_change(); return call.make();

    case SYS_close: return close_descriptor(directory, call.site);
    case kCloseRange:
      if (a[2] != 0) call.refuse(" with flags");
      return close_descriptors(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1]), call.site);
    case SYS_dup2:
      if (a[0] == a[1]) return call.make();
      [[fallthrough]];
    case SYS_dup3:
      return replace_descriptor(directory, static_cast<int>(a[1]), call.number == SYS_dup3 ? a[2] : 0, call.site);
    case SYS_fcntl: return control_descriptor(directory, a[1], a[2], call.site);
    case SYS_pipe:
    case SYS_pipe2: touch(reinterpret_cast<void*>(a[0]), 2 * sizeof(int)); return note_descriptor(call.make());
    case SYS_socketpair: touch(reinterpret_cast<void*>(a[3]), 2 * sizeof(int)); return note_descriptor(call.make());
    case SYS_memfd_create: {
      const long file = note_descriptor(call.make());
      struct stat what {};
      if (file >= 0 && raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&what)) == 0)
        mark_noted(what, true, call.site);
      return file;
    }
    case SYS_dup:
    case SYS_socket:
    case SYS_epoll_create:
    case SYS_epoll_create1:
    case SYS_eventfd:
    case SYS_eventfd2:
    case SYS_inotify_init:
    case SYS_inotify_init1:
    case SYS_signalfd:
    case SYS_signalfd4: return note_descriptor(call.make());

    case SYS_read:
    case SYS_pread64:
    case SYS_getdents64: touch(reinterpret_cast<void*>(a[1]), static_cast<std::uint64_t>(a[2])); return call.make();
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2: return call.make();
    case SYS_ioctl: call.refuse(" that changes a file");
    default: call.refuse();
  }
}

}  // namespace

long file_call(long number, const long* arguments, std::uint64_t site) {
  const char* name = name_of_file_call(number);
  if (worker.standalone)
    return raw_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  return make_call({number, arguments, site, name == nullptr ? "an unknown system call" : name});
}

}  // namespace mazurka::runtime

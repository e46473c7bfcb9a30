#include "runtime/files/files.hpp"

#include <initializer_list>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/files/file_changes.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/random.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr int kDescriptors = 1024;
constexpr int kCopies = 960;  // copies of descriptors have numbers from here on
constexpr int kMostKept = 32;

/// A file that was open before main.
struct Kept {
  int file;
  int copy;     ///< a duplicate, -1 if there is none
  long offset;  ///< -1 if it has none
  long flags;
};

// Fixed before the snapshot.
bool open_before[kDescriptors];
bool own[kDescriptors];  ///< of the runtime, hidden from the program
Kept kept[kMostKept];
int kept_count;
bool any_offset;
long start_folder = -1;
long start_mask;
char random_path[64];

// In the program's memory, so that the snapshot resets them.
bool used;
bool kept_changed;
bool folder_changed;
bool mask_changed;

const Kept* find_kept(int file) {
  for (int i = 0; i < kept_count; ++i)
    if (kept[i].file == file) return &kept[i];
  return nullptr;
}

bool is_own(int file) { return file >= 0 && file < kDescriptors && own[file]; }

/// A descriptor from before main is closed or replaced.
void lose(int file, const char* call, std::uint64_t site) {
  used = true;
  if (!worker.ready || worker.standalone || file < 0 || file >= kDescriptors || !open_before[file]) return;
  const Kept* entry = find_kept(file);
  if (is_output(file) || entry == nullptr || entry->copy < 0) {
    char text[96];
    Text(text, sizeof text) << call << "() of descriptor " << file << ", which was open before main,";
    unsupported(text, site);
  }
  kept_changed = true;
}

long prepare_random_file() {
  constexpr std::size_t kBytes = 1U << 16;
  const long file = raw_syscall(SYS_memfd_create, reinterpret_cast<long>("mazurka-random"), MFD_CLOEXEC);
  if (file < 0) return -1;
  std::uint64_t state = 42;
  std::uint64_t block[512];
  for (std::size_t i = 0; i < kBytes / sizeof block; ++i) {
    for (std::uint64_t& word : block) word = advance(state);
    raw_syscall(SYS_write, file, reinterpret_cast<long>(block), sizeof block);
  }
  Text(random_path, sizeof random_path) << "/proc/self/fd/" << file;
  return file;
}

void keep(int file) {
  if (kept_count == kMostKept) return;
  Kept& entry = kept[kept_count++];
  entry = {file, -1, -1, raw_syscall(SYS_fcntl, file, F_GETFL)};
  const long copy = raw_syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, kCopies);
  if (copy >= 0 && copy < kDescriptors) {
    entry.copy = static_cast<int>(copy);
    own[copy] = open_before[copy] = true;
  }
  struct stat what {};
  if (raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&what)) != 0 || !S_ISREG(what.st_mode)) return;
  if (is_output(file)) return;  // the parent process may write there too
  entry.offset = raw_syscall(SYS_lseek, file, 0, SEEK_CUR);
  any_offset |= entry.offset >= 0;
}

}  // namespace

void prepare_files() {
  const long random = prepare_random_file();
  start_folder = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("."), O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  start_mask = raw_syscall(SYS_umask, 0);
  raw_syscall(SYS_umask, start_mask);
  for (const long file :
       {random, start_folder, worker.standalone ? -1L : worker.channel_file, long{worker.channel->undo.backup_file}})
    if (file >= 3 && file < kDescriptors) own[file] = true;
  for (int i = 0; i < kCopies; ++i) {
    open_before[i] = raw_syscall(SYS_fcntl, i, F_GETFD) >= 0;
    if (open_before[i] && !own[i] && !worker.standalone) keep(i);
  }
  keep_changes();
  used = folder_changed = mask_changed = kept_changed = false;
}

bool leads_outside(int file) {
  if (!worker.closure || file < 3 || file >= kDescriptors || !open_before[file]) return false;
  struct stat what {};
  if (raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&what)) != 0) return false;
  return S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode) || (what.st_mode & S_IFMT) == 0;
}

bool is_open_in_test(const struct stat& what) {
  struct stat mine {};
  for (int i = 0; i < kept_count && worker.closure; ++i)
    if (raw_syscall(SYS_fstat, kept[i].copy, reinterpret_cast<long>(&mine)) == 0 && mine.st_dev == what.st_dev &&
        mine.st_ino == what.st_ino)
      return true;
  return false;
}

bool has_used_files() { return used; }
void note_used_files() { used = true; }

void restore_descriptors() {
  for (int i = 0; i < kept_count && (kept_changed || any_offset); ++i) {
    const Kept& entry = kept[i];
    if (kept_changed && entry.copy >= 0) {
      raw_syscall(SYS_dup3, entry.copy, entry.file, 0);
      raw_syscall(SYS_fcntl, entry.file, F_SETFL, entry.flags);
    }
    if (entry.offset >= 0) raw_syscall(SYS_lseek, entry.file, entry.offset, SEEK_SET);
  }
  if (!used) return;
  for (int i = 0; i < kDescriptors;) {
    int end = i;
    while (end < kDescriptors && !open_before[end]) ++end;
    if (end > i) raw_syscall(SYS_close_range, i, end == kDescriptors ? ~0U : static_cast<unsigned>(end - 1), 0);
    i = end + 1;
  }
  if (folder_changed) raw_syscall(SYS_fchdir, start_folder);
  if (mask_changed) raw_syscall(SYS_umask, start_mask);
}

const char* stands_for(const char* path) {
  const bool is_random =
      path != nullptr && random_path[0] != 0 && (is_equal(path, "/dev/urandom") || is_equal(path, "/dev/random"));
  return is_random ? random_path : path;
}

long note_descriptor(long result) {
  used = true;
  if (result >= 0 && is_channel(static_cast<int>(result)))
    unsupported("a file with a descriptor above 511, where those of pipes and sockets begin", 0);
  return result;
}

void note_folder_change() {
  used = folder_changed = true;
  if (worker.ready && !worker.standalone && start_folder < 0)
    unsupported("chdir() from a directory that cannot be opened", 0);
}

void note_mask_change() { used = mask_changed = true; }

long close_descriptor(int file, std::uint64_t site) {
  if (is_own(file)) return -EBADF;
  lose(file, "close", site);
  return raw_syscall(SYS_close, file);
}

long close_descriptors(unsigned first, unsigned last, std::uint64_t site) {
  if (first > last) return -EINVAL;
  if (any_channel_between(first, last)) unsupported("close_range() of a pipe, socket or the like", site);
  for (unsigned i = first; i <= last && i < kDescriptors; ++i)
    if (raw_syscall(SYS_fcntl, static_cast<long>(i), F_GETFD) >= 0) close_descriptor(static_cast<int>(i), site);
  if (last < kDescriptors) return 0;
  return raw_syscall(SYS_close_range, first < kDescriptors ? kDescriptors : static_cast<long>(first), last, 0);
}

long replace_descriptor(int from, int to, long flags, std::uint64_t site) {
  if (is_own(from)) return -EBADF;
  if (is_own(to)) unsupported("dup2() onto a descriptor that is in use", site);
  lose(to, "dup2", site);
  return raw_syscall(SYS_dup3, from, to, flags);
}

long control_descriptor(int file, long command, long argument, std::uint64_t) {
  if (is_own(file)) return -EBADF;
  used = true;
  if (command == F_SETFL && find_kept(file) != nullptr) kept_changed = true;
  if (command == F_GETLK || command == F_OFD_GETLK) touch(reinterpret_cast<void*>(argument), sizeof(struct flock));
  const long result = raw_syscall(SYS_fcntl, file, command, argument);
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? note_descriptor(result) : result;
}

}  // namespace mazurka::runtime

#include "core/remove_tree.hpp"

#include <cerrno>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mazurka {
namespace {

bool is_gone(int result) { return result == 0 || errno == ENOENT; }

// NOLINTNEXTLINE(misc-no-recursion): as deep as the folders are nested
bool remove_at(int parent, const char* name) {
  if (is_gone(unlinkat(parent, name, 0))) return true;
  if (errno != EISDIR && errno != EPERM) return false;  // POSIX has EPERM for a folder, Linux EISDIR
  const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return errno == ENOENT;
  alignas(dirent64) char entries[1024];
  // A folder may skip entries if it is changed while it is read, so it is read again until a pass removes nothing.
  for (bool removed = true; removed;) {
    removed = false;
    lseek(folder, 0, SEEK_SET);
    for (long size = 0; (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
      for (long at = 0; at < size;) {
        const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
        at += entry->d_reclen;
        const std::string_view child = entry->d_name;
        if (child != "." && child != ".." && remove_at(folder, entry->d_name)) removed = true;
      }
    }
  }
  close(folder);
  return is_gone(unlinkat(parent, name, AT_REMOVEDIR));
}

}  // namespace

bool remove_tree(const char* path) noexcept { return remove_at(AT_FDCWD, path); }

}  // namespace mazurka

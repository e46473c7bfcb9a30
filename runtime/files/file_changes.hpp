// Records changes of the file system before they are made, so that they can be undone after the execution
// (file_undo.hpp).
#pragma once

#include <cstdint>

#include <sys/stat.h>

#include "program/file_undo.hpp"

namespace mazurka::runtime {

/// A transaction: what is recorded from its construction on is dropped unless the system call succeeds.
class Change {
 public:
  Change();
  /// Call after the system call, with its result.
  long made(long result) const;

 private:
  protocol::UndoMark mark_;
};

/// Resolves a path relative to a directory. False if that fails: the kernel will report the error.
bool make_absolute(int directory, const char* path, char* absolute);
/// The path of an open file. False if it has none, or if that path leads elsewhere.
bool path_of_descriptor(int file, char* path);

bool look_at(const char* path, struct stat& result, bool follow_links);

/// Records the times of the directory in which something is created or removed.
void note_folder_of(const char* path, const char* call, std::uint64_t site);
void note_creation(const char* path, const char* call, std::uint64_t site);
/// Regular files, directories, links and pipes. Other types, and files with several hard links, are refused.
void note_removal(const char* path, const struct stat& what, const char* call, std::uint64_t site);
void note_renaming(const char* from, const char* to, const struct stat& what, bool exchange, const char* call,
                   std::uint64_t site);
void note_attributes(const char* path, const struct stat& what, const char* call, std::uint64_t site);
/// Records the contents of a file, once per execution.
void note_contents(const char* path, const struct stat& what, const char* call, std::uint64_t site);

/// Files that need not be recorded again: their contents are recorded, or they are new.
bool is_noted(const struct stat& what);
void mark_noted(const struct stat& what, bool is_new, std::uint64_t site);

/// Call when main starts: earlier changes stay until the worker ends.
void keep_changes();
/// Undoes all changes since keep_changes(). Returns the path that could not be restored, or null.
const char* undo_changes();

}  // namespace mazurka::runtime

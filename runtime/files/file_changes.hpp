// Notes what is about to change in the file system, so that it can be undone after the execution (file_undo.hpp).
#pragma once

#include <cstdint>

#include <sys/stat.h>

#include "program/file_undo.hpp"

namespace mazurka::runtime {

/// A change that can be taken back while it is not made: what is noted from its construction on is dropped unless the
/// system call succeeds.
class Change {
 public:
  Change();
  /// The result of the system call, which has been made.
  long made(long result) const;

 private:
  protocol::UndoMark mark_;
};

/// An absolute path for one that is relative to a directory. False where there is none: the kernel says why.
bool make_absolute(int directory, const char* path, char* absolute);
/// The path of an open file. False where it has none, or none that leads to it.
bool path_of_descriptor(int file, char* path);

bool look_at(const char* path, struct stat& result, bool follow_links);

/// The times of the folder in which something is created or removed.
void note_folder_of(const char* path, const char* call, std::uint64_t site);
void note_creation(const char* path, const char* call, std::uint64_t site);
/// Files with contents, folders, links and pipes; others, and files with more names than one, are refused.
void note_removal(const char* path, const struct stat& what, const char* call, std::uint64_t site);
void note_renaming(const char* from, const char* to, const struct stat& what, bool exchange, const char* call,
                   std::uint64_t site);
void note_attributes(const char* path, const struct stat& what, const char* call, std::uint64_t site);
/// The contents of a file, once in an execution.
void note_contents(const char* path, const struct stat& what, const char* call, std::uint64_t site);

/// Files that need not be noted again: their contents are noted, or they are new.
bool is_noted(const struct stat& what);
void mark_noted(const struct stat& what, bool is_new, std::uint64_t site);

/// What was changed so far stays until the worker ends: main begins.
void keep_changes();
/// Undoes what has changed since. Returns the path that could not be put back, or null.
const char* undo_changes();

}  // namespace mazurka::runtime

// A folder for files that nobody needs later: it goes with its object, and also if the process is killed. For that a
// child of ours waits until we are gone. It makes the folder itself, so there is no moment at which only we know of it.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace mazurka {

/// A child that makes a folder, and removes it when this process is gone.
class FolderCleaner {
 public:
  FolderCleaner() = default;
  ~FolderCleaner();
  FolderCleaner(const FolderCleaner&) = delete;
  FolderCleaner& operator=(const FolderCleaner&) = delete;

  /// Has a folder made by the pattern of mkdtemp(), whose name takes the place of the pattern. Where no child can be
  /// created, this process makes the folder, and nobody removes it. Returns the error, 0 if there is none.
  int make(std::string& pattern);

 private:
  bool start(std::string pattern);

  int alive_ = -1;   ///< the end of a pipe that only this process has open
  int answer_ = -1;  ///< where the child tells the name
  pid_t child_ = -1;
};

class TemporaryFolder {
 public:
  /// In TMPDIR or /tmp. Throws InputError where it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  FolderCleaner cleaner_;  // its end comes after the folder's
  std::filesystem::path path_;
};

}  // namespace mazurka

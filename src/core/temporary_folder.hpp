// A folder for files that nobody needs later: it goes with its object, and also if the process is killed. For that a
// child of ours waits until we are gone.
#pragma once

#include <filesystem>

#include <sys/types.h>

namespace mazurka {

class TemporaryFolder {
 public:
  /// In TMPDIR or /tmp. Throws InputError where it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int alive_ = -1;      ///< the end of a pipe that only this process has open
  pid_t cleaner_ = -1;  ///< who waits at the other end
};

}  // namespace mazurka

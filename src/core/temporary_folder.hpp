// A temporary folder. It is removed with its object, and also if the process is killed: a child process, the cleaner,
// waits for that. The cleaner starts before the folder is created, so at no moment is there a folder without one.
#pragma once

#include <filesystem>

#include <sys/types.h>

namespace mazurka {

class TemporaryFolder {
 public:
  /// Creates it in TMPDIR or /tmp. Throws InputError if the folder or its cleaner cannot be created.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  void start_cleaner();

  std::filesystem::path path_;
  int alive_ = -1;      ///< the write end of a pipe that only this process holds
  pid_t cleaner_ = -1;  ///< the child that waits at the read end
};

}  // namespace mazurka

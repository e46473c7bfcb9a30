// Scheduling points of calls that use files.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// A call of the program that uses files. All files and descriptors are a single object, whatever the path: the call is
/// a scheduling point that depends on the calls of other threads, unless both only read.
class FileUse {
 public:
  FileUse(bool changes, std::uint64_t site);
  ~FileUse();
  FileUse(const FileUse&) = delete;
  FileUse& operator=(const FileUse&) = delete;

 private:
  bool outermost_;
};

/// A system call without a scheduling point: its changes are undone as well, but its order is not explored. So it is
/// refused if that may matter: if several threads use files and one of them changes something.
void note_use_without_step(bool changes, const char* call, std::uint64_t site);

}  // namespace mazurka::runtime

// The steps of calls that use files.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// A call of the program that uses files. Files and descriptors are one object that all threads share, whatever the
/// path: the call is a step that depends on the calls of others, unless all of them only look.
class FileUse {
 public:
  FileUse(bool changes, std::uint64_t site);
  ~FileUse();
  FileUse(const FileUse&) = delete;
  FileUse& operator=(const FileUse&) = delete;

 private:
  bool outermost_;
};

/// A system call outside of such a step: what it does to files is undone as well, but the order is not explored. So it
/// is refused where that may matter: where several threads use files and one of them changes something.
void note_use_without_step(bool changes, const char* call, std::uint64_t site);

}  // namespace mazurka::runtime

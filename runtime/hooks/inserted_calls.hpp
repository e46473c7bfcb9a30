// The arguments of a call that `mazurka cc` inserts before an access (src/assembly/scanner.hpp).
#pragma once

#include <cstdint>

namespace mazurka::runtime {

class InsertedAccess {
 public:
  /// The frame of the entry point: above the frame pointer the return address, %rdi of the code around, and how the
  /// instruction accesses memory; below it the flags and the registers.
  explicit InsertedAccess(void* const* frame) : frame_(frame) {}

  void* address() const { return frame_[-7]; }
  std::uint64_t bytes() const {
    const std::uint64_t each = what() >> 3;
    return (what() & 4) != 0 ? each * reinterpret_cast<std::uint64_t>(frame_[-3]) : each;
  }
  bool reads() const { return (what() & 1) != 0; }
  bool writes() const { return (what() & 2) != 0; }

 private:
  std::uint64_t what() const { return reinterpret_cast<std::uint64_t>(frame_[3]); }

  void* const* frame_;
};

}  // namespace mazurka::runtime

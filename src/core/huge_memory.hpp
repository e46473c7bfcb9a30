// Large arrays in huge pages where the system has them: a table of states or events is read at random, and with pages
// of 4 KiB most of those reads miss the address cache of the processor as well.
#pragma once

#include <cstddef>
#include <utility>

namespace mazurka {

/// Memory that is zero to begin with.
class HugeMemory {
 public:
  HugeMemory() = default;
  /// `sparse` memory, of which little may ever be touched, stays in small pages. Throws std::bad_alloc.
  explicit HugeMemory(std::size_t bytes, bool sparse = false);
  HugeMemory(HugeMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  HugeMemory& operator=(HugeMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~HugeMemory();

  void* get() const { return memory_; }
  std::size_t bytes() const { return bytes_; }
  /// Makes it larger. What is there stays, in the same pages if it is large: nothing is copied.
  void extend(std::size_t bytes);

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;  // a mapping of its own from the size of a huge page on, and a multiple of that
};

}  // namespace mazurka

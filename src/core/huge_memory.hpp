// Large arrays in huge pages, if the system has them. Tables of states and events are accessed at random, and with
// pages of 4 KiB most of these accesses would miss the TLB as well.
#pragma once

#include <cstddef>
#include <utility>

namespace mazurka {

/// Zero-initialised memory.
class HugeMemory {
 public:
  HugeMemory() = default;
  /// `sparse` memory, of which only little may be touched, uses small pages. Throws std::bad_alloc.
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
  /// Grows the memory. The contents stay; a large mapping is remapped, not copied.
  void extend(std::size_t bytes);

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;  // from the size of a huge page on: a mapping of its own, a multiple of that size
};

}  // namespace mazurka

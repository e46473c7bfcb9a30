// Large arrays in huge pages where the system has them: a table of visited states is read at random, and with pages of
// 4 KiB most of those reads miss the address cache of the processor as well.
#pragma once

#include <cstddef>
#include <utility>

namespace mazurka::network {

/// Memory that is zero to begin with.
class HugeMemory {
 public:
  HugeMemory() = default;
  /// `sparse` memory, of which little may ever be touched, stays in small pages. Throws std::bad_alloc.
  explicit HugeMemory(std::size_t bytes, bool sparse = false);
  HugeMemory(HugeMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), mapped_(std::exchange(other.mapped_, 0)) {}
  HugeMemory& operator=(HugeMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(mapped_, other.mapped_);
    return *this;
  }
  ~HugeMemory();

  void* get() const { return memory_; }
  /// Makes it larger, and zero again. What was there stays in use, which is cheaper than new memory.
  void grow(std::size_t bytes);

 private:
  void* memory_ = nullptr;
  std::size_t mapped_ = 0;  // bytes of an own mapping; 0 for memory from the heap
};

}  // namespace mazurka::network

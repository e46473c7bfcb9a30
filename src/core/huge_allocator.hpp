// An allocator for vectors that may become large and are read all over: from some size on their memory asks for huge
// pages, which spares page faults and misses in the processor's table of pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace mazurka {

template <class T>
struct HugeAllocator {
  using value_type = T;
  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLarge) return static_cast<T*>(::operator new(bytes));
    const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(memory, rounded, MADV_HUGEPAGE);  // advice only
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kLarge)
      ::operator delete(memory);
    else
      std::free(memory);
  }
  bool operator==(const HugeAllocator&) const { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;
  static constexpr std::size_t kLarge = kPage / 2;
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace mazurka

#include "network/huge_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace mazurka::network {

namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

std::size_t round_up(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

/// A place for so many bytes, a multiple of the size of a huge page, that starts where a huge page can.
void* map(std::size_t bytes, int protection) {
  void* const mapping = mmap(nullptr, bytes + kHugePage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<char*>(mapping);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + bytes, kHugePage - before);
  return begin + before;
}

}  // namespace

HugeMemory::HugeMemory(std::size_t bytes, bool sparse) {
  if (bytes < kHugePage) {
    memory_ = std::calloc(bytes, 1);
    if (memory_ == nullptr) throw std::bad_alloc();
    return;
  }
  mapped_ = round_up(bytes);
  memory_ = map(mapped_, PROT_READ | PROT_WRITE);
#ifdef MADV_HUGEPAGE
  // Advice only: where it is refused the memory is as good, but slower.
  if (!sparse) madvise(memory_, mapped_, MADV_HUGEPAGE);
#endif
}

void HugeMemory::grow(std::size_t bytes) {
  const std::size_t larger = round_up(bytes);
  if (mapped_ == 0 || larger <= mapped_) {
    *this = HugeMemory(bytes);
    return;
  }
  void* const place = map(larger, PROT_NONE);
  void* const moved = mremap(memory_, mapped_, larger, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (moved == MAP_FAILED) {
    munmap(place, larger);
    throw std::bad_alloc();
  }
  std::memset(moved, 0, mapped_);
  memory_ = moved;
  mapped_ = larger;
}

HugeMemory::~HugeMemory() {
  if (mapped_ != 0)
    munmap(memory_, mapped_);
  else
    std::free(memory_);
}

}  // namespace mazurka::network

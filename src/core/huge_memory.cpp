#include "core/huge_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace mazurka {

namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

std::size_t round_up(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

/// Reserves `bytes`, a multiple of the huge page size, aligned to huge pages.
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

HugeMemory::HugeMemory(std::size_t bytes, bool sparse) : bytes_(bytes < kHugePage ? bytes : round_up(bytes)) {
  if (bytes < kHugePage) {
    memory_ = std::calloc(bytes, 1);
    if (memory_ == nullptr) throw std::bad_alloc();
    return;
  }
  memory_ = map(bytes_, PROT_READ | PROT_WRITE);
#ifdef MADV_HUGEPAGE
  // Only advice: if refused, the memory works the same, but slower.
  if (!sparse) madvise(memory_, bytes_, MADV_HUGEPAGE);
#endif
}

void HugeMemory::extend(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (bytes_ < kHugePage) {
    HugeMemory larger(bytes);
    if (bytes_ > 0) std::memcpy(larger.memory_, memory_, bytes_);
    *this = std::move(larger);
    return;
  }
  const std::size_t larger = round_up(bytes);
  void* const place = map(larger, PROT_NONE);
  void* const moved = mremap(memory_, bytes_, larger, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (moved == MAP_FAILED) {
    munmap(place, larger);
    throw std::bad_alloc();
  }
  memory_ = moved;
  bytes_ = larger;
}

HugeMemory::~HugeMemory() {
  if (bytes_ >= kHugePage)
    munmap(memory_, bytes_);
  else
    std::free(memory_);
}

}  // namespace mazurka

#include "network/huge_memory.hpp"

#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace mazurka::network {

HugeMemory::HugeMemory(std::size_t bytes, bool sparse) {
  constexpr std::size_t kHugePage = std::size_t{1} << 21;
  if (bytes < kHugePage) {
    memory_ = std::calloc(bytes, 1);
    if (memory_ == nullptr) throw std::bad_alloc();
    return;
  }
  mapped_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  memory_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    throw std::bad_alloc();
  }
#ifdef MADV_HUGEPAGE
  // Advice only: where it is refused the memory is as good, but slower.
  if (!sparse) madvise(memory_, mapped_, MADV_HUGEPAGE);
#endif
}

HugeMemory::~HugeMemory() {
  if (mapped_ != 0)
    munmap(memory_, mapped_);
  else
    std::free(memory_);
}

}  // namespace mazurka::network

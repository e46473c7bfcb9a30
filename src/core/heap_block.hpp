// A block of the heap that an operation of an execution acts on. Plain data: a worker tells the explorer about these.
#pragma once

#include <cstdint>

namespace mazurka {

struct HeapBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t site = 0;  ///< where it was allocated, 0 if not known
};

}  // namespace mazurka

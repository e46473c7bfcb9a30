// A block of the heap, or a variable on a stack, that an operation of an execution acts on. Plain data: a worker tells
// the explorer about these.
#pragma once

#include <cstdint>

namespace mazurka {

struct HeapBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t site = 0;         ///< where it was allocated, 0 if not known; on a stack: where its function is
  std::uint64_t below_frame = 0;  ///< on a stack: how far below the beginning of the function's frame; 0 on the heap
  std::uint64_t holder = 0;       ///< the object that it belongs to, by whose name it is called; 0 if there is none
};

}  // namespace mazurka

// A heap block, or a variable on a stack, on which an operation acts. Plain data: part of the protocol between worker
// and explorer.
#pragma once

#include <cstdint>

namespace mazurka {

struct HeapBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t site = 0;         ///< where it was allocated, 0 if unknown; on a stack: an address in its function
  std::uint64_t below_frame = 0;  ///< on a stack: offset below the start of the function's frame; 0 on the heap
  std::uint64_t holder = 0;       ///< the object that owns it and gives it its name; 0 if there is none
};

}  // namespace mazurka

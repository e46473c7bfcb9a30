// What the heap, the snapshot and the checkpoints know of the execution and of the process.
#pragma once

#include <cstdint>

#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// What a checkpoint keeps of it.
struct MemoryMoment {
  std::uint32_t live_blocks;  ///< of the heap, in this execution
};

/// In pages of its own, which the snapshot leaves alone.
struct alignas(kPage) Memory : MemoryMoment {
  bool has_checkpoints;            ///< there may be any
  bool rseq_left;                  ///< the kernel does not write to threads' storage
  std::uint64_t static_tls_bytes;  ///< below each thread pointer
};
MAZURKA_SHARED Memory memory;

}  // namespace mazurka::runtime

// State that the heap, the snapshot and the checkpoints share.
#pragma once

#include <cstdint>

#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// The part that a checkpoint saves.
struct MemoryMoment {
  std::uint32_t live_blocks;          ///< heap blocks of this execution that are not freed
  struct ExitHandler* exit_handlers;  ///< the last one that was registered and has not run: posix/exit.cpp
};

/// On pages of its own, which the snapshot excludes.
struct alignas(kPage) Memory : MemoryMoment {
  struct ExitHandler* first_exit_handlers;  ///< of an execution that begins: registered before main
  bool has_checkpoints;                     ///< prepare_checkpoints() has run
  bool rseq_left;                  ///< rseq is unregistered: the kernel does not write to thread control blocks
  std::uint64_t static_tls_bytes;  ///< size of the static TLS block, which ends at the thread pointer
};
MAZURKA_SHARED Memory memory;

}  // namespace mazurka::runtime

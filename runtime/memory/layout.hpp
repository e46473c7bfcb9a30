// Where the memory of a thread lies: the same place in every execution, whatever the schedule and the worker.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"

namespace mazurka::runtime {

inline constexpr std::uint64_t kArena = 0x1000'0000'0000;
inline constexpr std::uint64_t kStride = 0x2'0000'0000;  // per thread
inline constexpr std::uint64_t kDonorBytes = 16U << 20;  // the donor's own stack with the thread-local storage
inline constexpr std::uint64_t kStackGuard = 1U << 20;   // never mapped: below the fiber's stack
inline constexpr std::uint64_t kStackBytes = 8U << 20;   // the fiber's stack
inline constexpr std::uint64_t kHeapOffset = 64U << 20;  // the rest is its heap
inline constexpr std::uint64_t kArenaEnd = kArena + (protocol::kMaxProcesses + 1) * kStride;
inline constexpr std::uint64_t kPage = 4096;

/// Whether an address lies in the stack of a thread: that of index (address - kArena) / kStride.
constexpr bool is_on_stack(std::uint64_t address) {
  const std::uint64_t offset = address - kArena;
  return offset < kArenaEnd - kArena && offset % kStride - (kDonorBytes + kStackGuard) < kStackBytes;
}

constexpr std::uint64_t slot_base(std::uint32_t index) { return kArena + index * kStride; }
constexpr std::uint64_t stack_bottom(std::uint32_t index) { return slot_base(index) + kDonorBytes + kStackGuard; }
constexpr std::uint64_t stack_top(std::uint32_t index) { return stack_bottom(index) + kStackBytes; }
/// Of the C library, behind a thread pointer. Where it is larger or smaller, restoring snapshots takes longer.
inline constexpr std::uint64_t kControlBlock = 2304;
// Places at the same offset in their pages compete for the same lines of the cache, so the threads' differ.
constexpr std::uint64_t colour(std::uint32_t index) { return index * 320U % 3840U; }
/// Where the first frame of a fiber begins.
constexpr std::uint64_t first_frame(std::uint32_t index) { return stack_top(index) - 64 - colour(index); }
constexpr std::uint64_t heap_bottom(std::uint32_t index) { return slot_base(index) + kHeapOffset + colour(index); }
constexpr std::uint64_t heap_end(std::uint32_t index) { return slot_base(index) + kStride; }
/// The heap of what runs before main; it is part of the snapshot.
inline constexpr std::uint32_t kBootSlot = protocol::kMaxProcesses;

}  // namespace mazurka::runtime

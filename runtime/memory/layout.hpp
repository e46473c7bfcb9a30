// The address space of threads: a thread's memory is at the same address in every execution, schedule and worker.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"

namespace mazurka::runtime {

// The first threads have slots of 8 GiB, the others, which few programs have, 1 GiB each. With its shadow, which is
// four times as large, 8 GiB for each of 4,096 threads would take 160 TiB of the 128 TiB address space.
inline constexpr std::uint64_t kArena = 0x1000'0000'0000;
inline constexpr std::uint32_t kLargeSlots = 512;
inline constexpr std::uint64_t kLargeSlot = 0x2'0000'0000;
inline constexpr std::uint64_t kSmallSlot = 0x4000'0000;
inline constexpr std::uint64_t kSmallSlots = kArena + kLargeSlots * kLargeSlot;  // where the small slots begin
inline constexpr std::uint64_t kDonorBytes = 16U << 20;  // the donor's own stack, with its TLS at the end
inline constexpr std::uint64_t kStackGuard = 1U << 20;   // unmapped guard below the fiber's stack
inline constexpr std::uint64_t kStackBytes = 8U << 20;   // the fiber's stack
inline constexpr std::uint64_t kHeapOffset = 64U << 20;  // the rest is its heap
inline constexpr std::uint64_t kPage = 4096;
/// The slot of the boot heap, which serves everything before main and is part of the snapshot.
inline constexpr std::uint32_t kBootSlot = protocol::kMaxProcesses;
static_assert(kBootSlot >= kLargeSlots);

constexpr std::uint64_t slot_base(std::uint32_t index) {
  return index < kLargeSlots ? kArena + index * kLargeSlot : kSmallSlots + (index - kLargeSlots) * kSmallSlot;
}
inline constexpr std::uint64_t kArenaEnd = slot_base(kBootSlot) + kSmallSlot;

constexpr bool is_in_arena(std::uint64_t address) { return address - kArena < kArenaEnd - kArena; }
/// The slot that contains an address of the arena, and the offset in it.
constexpr std::uint32_t slot_of(std::uint64_t address) {
  return static_cast<std::uint32_t>(address < kSmallSlots ? (address - kArena) / kLargeSlot
                                                          : kLargeSlots + (address - kSmallSlots) / kSmallSlot);
}
constexpr std::uint64_t offset_in_slot(std::uint64_t address) {
  static_assert(kArena % kLargeSlot == 0 && kSmallSlots % kSmallSlot == 0);
  return address & ((address < kSmallSlots ? kLargeSlot : kSmallSlot) - 1);
}
/// Whether an address is on the stack of a thread, which is thread slot_of(address).
constexpr bool is_on_stack(std::uint64_t address) {
  return address - kArena < slot_base(kBootSlot) - kArena &&
         offset_in_slot(address) - (kDonorBytes + kStackGuard) < kStackBytes;
}
constexpr std::uint64_t stack_bottom(std::uint32_t index) { return slot_base(index) + kDonorBytes + kStackGuard; }
constexpr std::uint64_t stack_top(std::uint32_t index) { return stack_bottom(index) + kStackBytes; }
/// Size of the C library's thread control block, from the thread pointer on. A wrong value only slows down restoring.
inline constexpr std::uint64_t kControlBlock = 2304;
// Cache colouring: threads use different page offsets so that they do not compete for the same cache sets.
constexpr std::uint64_t colour(std::uint32_t index) { return index * 320U % 3840U; }
/// Where the first frame of a fiber starts.
constexpr std::uint64_t first_frame(std::uint32_t index) { return stack_top(index) - 64 - colour(index); }
constexpr std::uint64_t heap_bottom(std::uint32_t index) { return slot_base(index) + kHeapOffset + colour(index); }
constexpr std::uint64_t heap_end(std::uint32_t index) { return slot_base(index + 1); }

}  // namespace mazurka::runtime

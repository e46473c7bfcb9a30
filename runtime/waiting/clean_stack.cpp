#include "runtime/waiting/clean_stack.hpp"

#include "runtime/arch.hpp"
#include "runtime/states/segment_accesses.hpp"

namespace mazurka::runtime {

namespace {

constexpr std::uint64_t kRoom = 6144;

}  // namespace

__attribute__((noinline)) void clear_stack_below() {
  std::uint8_t room[kRoom];
  zero_bytes(room, sizeof room);
  look_at_accesses();
  __asm__ volatile("" : : "r"(room) : "memory");
  clear_call_registers();
}

__attribute__((noinline)) void clear_a_little_below() {
  std::uint64_t room[96];
  for (std::uint64_t& word : room) word = 0;
  __asm__ volatile("" : : "r"(room) : "memory");
  clear_call_registers();
}

__attribute__((noinline)) void clear_scanned_stack_below(std::uint64_t scanned) {
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (scanned >= here) return;
  const std::uint64_t bytes = here - scanned < kRoom ? here - scanned : kRoom;
  void* const room = __builtin_alloca(bytes);
  zero_bytes(room, bytes);
  __asm__ volatile("" : : "r"(room) : "memory");
}

}  // namespace mazurka::runtime

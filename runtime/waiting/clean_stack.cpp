#include "runtime/waiting/clean_stack.hpp"

#include "runtime/arch.hpp"
#include "runtime/states/segment_accesses.hpp"

namespace mazurka::runtime {

__attribute__((noinline)) void clear_stack_below() {
  std::uint8_t room[6144];
  zero_bytes(room, sizeof room);
  look_at_accesses();
  __asm__ volatile("" : : "r"(room) : "memory");
}

__attribute__((noinline)) void clear_a_little_below() {
  std::uint64_t room[96];
  for (std::uint64_t& word : room) word = 0;
  __asm__ volatile("" : : "r"(room) : "memory");
}

}  // namespace mazurka::runtime

#include "runtime/waiting/clean_stack.hpp"

#include "runtime/arch.hpp"

namespace mazurka::runtime {

__attribute__((noinline)) void clear_stack_below() {
  std::uint8_t room[6144];
  zero_bytes(room, sizeof room);
  __asm__ volatile("" : : "r"(room) : "memory");
}

}  // namespace mazurka::runtime

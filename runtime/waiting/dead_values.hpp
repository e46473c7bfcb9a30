// What a thread overwrites right after an access, before it looks at it: where compilers do not optimise, what was read
// goes to a temporary on the stack, whose old value would make a difference between local states that are the same.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The registers of a frame in the order of unwind.h, and the words of its stack.
struct DeadValues {
  struct Slot {
    std::int32_t offset;  ///< from the base
    std::uint32_t bytes;

    bool operator==(const Slot&) const = default;
  };
  static constexpr std::uint32_t kMost = 8;
  std::uint32_t registers = 0;  ///< a bit for each
  std::uint32_t base = 0;       ///< the register that slots are counted from
  std::uint32_t count = 0;
  Slot slots[kMost] = {};
};

/// Looks through the instructions from `code` on, as long as each is understood.
/// Calls of hooks for plain accesses are passed over if `passes_hooks`.
DeadValues find_dead_values(const std::uint8_t* code, bool passes_hooks);

}  // namespace mazurka::runtime

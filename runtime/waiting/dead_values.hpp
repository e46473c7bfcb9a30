// Liveness after an access: which registers and stack slots does the thread overwrite before it reads them? Without
// optimisation, compilers store the value read into a stack temporary, whose old value would make equal local states
// differ.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Dead registers of a frame, in the order of unwind.h, and dead stack slots.
struct DeadValues {
  struct Slot {
    std::int32_t offset;  ///< from the base register
    std::uint32_t bytes;

    bool operator==(const Slot&) const = default;
  };
  static constexpr std::uint32_t kMost = 8;
  std::uint32_t registers = 0;  ///< bit set
  std::uint32_t base = 0;       ///< the register that offsets are relative to
  std::uint32_t count = 0;
  Slot slots[kMost] = {};
};

/// Decodes the instructions from `code` on, as far as it understands them. With `passes_hooks` it continues after calls
/// of plain access hooks.
DeadValues find_dead_values(const std::uint8_t* code, bool passes_hooks);

}  // namespace mazurka::runtime

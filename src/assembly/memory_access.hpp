// Which memory an x86-64 instruction of a compiler accesses, and how. AT&T syntax, which compilers emit by default.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mazurka::assembly {

struct MemoryAccess {
  std::string_view address;  ///< the operand, as `lea` takes it: `8(%rax,%rcx,4)`
  std::uint32_t bytes = 0;   ///< of each element
  bool reads = false;
  bool writes = false;
  bool counted = false;  ///< a repeated string instruction: as many elements as %rcx says

  bool operator==(const MemoryAccess&) const = default;
};

/// The accesses of an instruction: one, or two of an instruction on strings. Errs on the side of too few bytes where it
/// does not know the instruction. Jumps, calls, pushes and pops count if they have a memory operand.
std::vector<MemoryAccess> memory_accesses(std::string_view instruction);

/// The base register of an operand without `%`, `rip` included; empty if it has none.
std::string_view base_register(std::string_view address);

}  // namespace mazurka::assembly

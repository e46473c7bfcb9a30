// How an x86-64 instruction of inline assembly affects memory that other threads may access.
//
// Errs on the side of `Memory`: an instruction counts as harmless only if it is known not to access memory, or if all
// its operands are registers and constants.
#pragma once

#include <string_view>
#include <vector>

namespace mazurka::assembly {

enum class Effect {
  None,          ///< registers only, or the thread's own stack (push, pop)
  FullFence,     ///< mfence, or an idle locked instruction on the top of the stack
  AcquireFence,  ///< lfence
  ReleaseFence,  ///< sfence
  Memory,        ///< reads or writes memory, or may do so
  Uncontrolled,  ///< depends on time or chance, or enters the kernel
};

enum class Syntax { Att, Intel };

/// `text` is one instruction without label and comment: `lock addl $0, (%rsp)`. A directive has no effect unless it
/// encodes an instruction in numbers.
Effect effect(std::string_view text, Syntax syntax);

/// Whether the instruction has a memory operand. `lea` and jumps have none.
bool has_memory_operand(std::string_view text, Syntax syntax);

/// The operands, without the prefix, the mnemonic and blanks.
std::vector<std::string_view> operands(std::string_view text);
/// Whether an operand is in memory.
bool is_memory(std::string_view operand, Syntax syntax);

/// The first word in lower case, without prefixes such as `lock` and `rep`.
std::string_view mnemonic(std::string_view text);
/// Whether the instruction has the prefix `lock`.
bool is_locked(std::string_view text);
/// Whether the whole text is a prefix of the following instruction, as in `lock; addl …`.
bool is_prefix(std::string_view text);

}  // namespace mazurka::assembly

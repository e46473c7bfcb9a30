// Reads the assembly that a compiler emits with -fsanitize=thread, between the compiler and the assembler.
//
// Inline assembly stands between #APP and #NO_APP. Fences get a call of the runtime behind them, on the same line, so
// that the numbers of lines stay what they are; anything else that touches memory is recorded. Outside of inline
// assembly, instructions that only intrinsics and code without instrumentation use (locked ones, fences, clocks) are
// treated alike.
//
// Whether a function is marked no_sanitize cannot be told from its code for certain. A *suspect* accesses memory, or
// hands out addresses of its frame, and has no instrumented plain access; every marked function whose accesses matter
// is one. The source decides (attributes.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::assembly {

struct Scan {
  bool instrumented = false;  ///< the compiler's output with -fsanitize=thread; else nothing was looked at
  std::string text;           ///< with calls of the runtime at fences
  std::vector<Unseen> records;
  std::vector<Unseen> intrinsics;     ///< of code outside of inline assembly
  std::vector<std::string> suspects;  ///< names of functions, as the linker knows them
};

/// `folder` is where the compiler ran: paths below it are shortened.
Scan scan(std::string_view text, std::string_view folder);

/// A function's name as the source has it: `queue::push(int)` of `_ZN5queue4pushEi.part.0`.
std::string demangled(const std::string& symbol);

}  // namespace mazurka::assembly

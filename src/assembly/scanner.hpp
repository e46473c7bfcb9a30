// Scans the assembly that a compiler emits with -fsanitize=thread, between the compiler and the assembler.
//
// Inline assembly is enclosed in #APP and #NO_APP. Each fence gets a call to the runtime after it, on the same line, so
// that line numbers stay the same; anything else that accesses memory is recorded. Outside of inline assembly,
// instructions that occur only in intrinsics and in uninstrumented code (locked ones, fences, clocks) are treated
// alike.
//
// The code of a function does not tell for certain whether it is marked no_sanitize. A *suspect* accesses memory, or
// lets addresses of its frame escape, and has no instrumented plain access; every marked function whose accesses matter
// is one. The source decides (attributes.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::assembly {

struct Scan {
  bool instrumented = false;  ///< output of a compiler with -fsanitize=thread; otherwise nothing was scanned
  std::string text;           ///< with calls to the runtime
  std::vector<Unseen> records;
  std::vector<Unseen> intrinsics;     ///< in code outside of inline assembly
  std::vector<std::string> suspects;  ///< linker symbols of functions
};

/// `folder` is where the compiler ran: paths below it are made relative. `exempt`: functions, as in the source, that
/// are marked no_sanitize, so that nothing is announced there.
Scan scan(std::string_view text, std::string_view folder, const std::vector<std::string>& exempt = {});

/// A function's name as in the source: `queue::push(int)` for `_ZN5queue4pushEi.part.0`.
std::string demangled(const std::string& symbol);

}  // namespace mazurka::assembly

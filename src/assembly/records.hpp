// Records of code that Mazurka cannot see. They travel from the assembler through object files and linkers to `mazurka
// check`, as strings in a section of their own.
//
// Every object that was scanned has the section, with at least kScanned in it; linkers merge equal strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::assembly {

inline constexpr std::string_view kSection = ".mazurka.unseen";
inline constexpr std::string_view kScanned = "scanned";
/// Every object compiled with -fsanitize=thread refers to this symbol.
inline constexpr std::string_view kInstrumented = "__tsan_init";

enum class Kind {
  Assembly,  ///< inline assembly, or an intrinsic, that accesses memory or cannot be controlled
  Function,  ///< marked no_sanitize
  Object,    ///< an object, library or archive of the user without instrumentation
  Library,   ///< one of the system
};

std::string_view name(Kind kind);

/// A piece of code that is not instrumented.
struct Unseen {
  Kind kind = Kind::Assembly;
  std::string file;
  unsigned line = 0;  ///< 0 if unknown
  std::string function;
  std::string text;  ///< the instructions, or why an object counts

  bool operator==(const Unseen&) const = default;
};

/// Encodes it as one line without zero bytes, and back. A string that is not a record gives none.
std::string to_record(const Unseen& unseen);
std::vector<Unseen> from_section(std::string_view section);

/// Assembly that puts the records, and kScanned, into the section: one line, which may follow any code.
std::string section_text(const std::vector<Unseen>& records);

}  // namespace mazurka::assembly

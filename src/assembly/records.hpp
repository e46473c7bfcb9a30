// What was found in code that Mazurka does not see, as it travels from the assembler through object files and linkers
// to `mazurka check`: strings in a section of their own.
//
// Every object that the assembler has looked through has the section, with kScanned in it at least; linkers merge equal
// strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::assembly {

inline constexpr std::string_view kSection = ".mazurka.unseen";
inline constexpr std::string_view kScanned = "scanned";
/// Every object that is compiled with -fsanitize=thread refers to it.
inline constexpr std::string_view kInstrumented = "__tsan_init";

enum class Kind {
  Assembly,  ///< inline assembly, or an intrinsic, that touches memory or cannot be controlled
  Function,  ///< marked no_sanitize
  Object,    ///< an object, library or archive of the user without instrumentation
  Library,   ///< one of the system
};

std::string_view name(Kind kind);

/// One place of code that is not seen.
struct Unseen {
  Kind kind = Kind::Assembly;
  std::string file;
  unsigned line = 0;  ///< 0 where it is not known
  std::string function;
  std::string text;  ///< the instructions, or why an object counts

  bool operator==(const Unseen&) const = default;
};

/// As one line without zero bytes, and back. A string that is not a record gives none.
std::string to_record(const Unseen& unseen);
std::vector<Unseen> from_section(std::string_view section);

/// Assembly that puts the records, and kScanned, into the section: one line, which may stand after any code.
std::string section_text(const std::vector<Unseen>& records);

}  // namespace mazurka::assembly

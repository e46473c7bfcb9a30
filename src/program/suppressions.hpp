// Suppressions in ThreadSanitizer's file format: data races that the user does not want to hear of. A line is
// `type:pattern`; `#` begins a comment. A pattern may match anywhere in a name, `*` stands for anything, `^` and `$`
// for the beginning and the end. `race:` matches functions, source files and global variables, of either access or of
// what called it; `race_top:` the functions and files of the accesses themselves. The other types are about reports
// that this tool does not make, or that are bugs in an execution that was run: they have no effect.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

struct Suppression {
  enum class Kind : std::uint8_t { Race, RaceTop, WithoutEffect };
  Kind kind = Kind::Race;
  std::string type;     ///< as it is written
  std::string pattern;  ///< likewise
};
/// `race:push`
std::string to_string(const Suppression& suppression);

/// Throws InputError with the line where a type is not known. `file` is for the message.
std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file);

/// Whether a pattern matches a name.
bool matches(std::string_view pattern, std::string_view name);

/// What they suppress of a program, by its debug information and its symbols; null where that is nothing. Throws
/// InputError where there is more of it than a worker can be told.
std::shared_ptr<const protocol::Suppressions> suppressed_ranges(const std::string& binary,
                                                                const std::vector<Suppression>& rules);

/// What the program's __tsan_default_suppressions() returns; empty where it has none. Runs the program up to main.
std::string default_suppressions(const std::string& binary);

}  // namespace mazurka::program

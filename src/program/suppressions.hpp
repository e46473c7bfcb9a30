// Suppressions of data races in ThreadSanitizer's file format. A line is `type:pattern`; `#` starts a comment. A
// pattern may match anywhere in a name, `*` matches anything, `^` and `$` the start and the end. `race:` matches
// functions, source files and global variables, of either access or its callers; `race_top:` the functions and files of
// the accesses themselves. The other types concern reports that this tool does not make, or bugs of an execution that
// was run: they have no effect.
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
  std::string type;     ///< as written
  std::string pattern;  ///< as written
};
/// `race:push`
std::string to_string(const Suppression& suppression);

/// Throws InputError with the line of an unknown type. `file` is for the message.
std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file);

/// Whether a pattern matches a name.
bool matches(std::string_view pattern, std::string_view name);

/// The code and variables of a program that the rules match, from debug information and symbols; null if none. Throws
/// InputError if there are too many for a worker.
std::shared_ptr<const protocol::Suppressions> suppressed_ranges(const std::string& binary,
                                                                const std::vector<Suppression>& rules);

/// The result of the program's __tsan_default_suppressions(); empty if it has none. Runs the program up to main.
std::string default_suppressions(const std::string& binary);

}  // namespace mazurka::program

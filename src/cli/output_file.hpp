// Files that the user asked for. One that is there already is replaced as a whole or not at all: the new contents are
// written beside it and renamed. What is not a regular file (a pipe, a device) is written to, never removed.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace mazurka::cli {

/// Writes a whole file or throws InputError; then everything is as it was before.
void write_output(const std::string& file, const std::string& text);

/// The same for a file besides the answer, which must not be lost with it: what cannot be written is noted, and main
/// says so once the answer is printed. Whether it was written.
bool write_beside_answer(Context& context, const std::string& file, const std::string& text);

}  // namespace mazurka::cli

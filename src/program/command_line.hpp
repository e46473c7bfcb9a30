// Command lines as lists of words: splitting text as a shell would, and running programs without one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::program {

/// Splits a text into words at white space. Quotes and backslashes protect white space as in a POSIX shell; nothing
/// else is special.
std::vector<std::string> split_words(std::string_view text);
/// The inverse of split_words().
std::string join_words(const std::vector<std::string>& words);

/// Runs a program found in PATH and returns its exit status, 128 + n after signal n. Throws InputError if it cannot be
/// started.
int run_command(const std::vector<std::string>& words);

/// The same, but returns its standard output; empty if it fails.
std::string output_of(const std::vector<std::string>& words);

}  // namespace mazurka::program

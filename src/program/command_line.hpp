// Command lines as lists of words: splitting text as a shell would, and running programs without one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::program {

/// The words of a text, separated by white space; quotes and backslashes keep white space as in a POSIX shell, nothing
/// else is special.
std::vector<std::string> split_words(std::string_view text);
/// A text that split_words() takes apart into these words.
std::string join_words(const std::vector<std::string>& words);

/// Runs a program found by PATH and returns its exit status, 128 + n after signal n. Throws InputError where it cannot
/// be started.
int run_command(const std::vector<std::string>& words);

/// The same with its standard output as the result; an empty text where it fails.
std::string output_of(const std::vector<std::string>& words);

}  // namespace mazurka::program

// "Did you mean …": the known word nearest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace mazurka::cli {

/// The candidate that takes the fewest insertions, deletions, replacements and swaps of neighbours; none where even
/// that takes more than a third of the word.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// All long options of a command and of its groups, with their dashes.
std::vector<std::string> option_names(const CLI::App& command);

/// What is wrong with the first word where that is no command, and what may be meant; empty if it is one or an option.
std::string unknown_command(const CLI::App& app, const std::string& word);

/// The same for options that the commands did not take, after a parse that failed.
std::string unknown_options(const CLI::App& app);

}  // namespace mazurka::cli

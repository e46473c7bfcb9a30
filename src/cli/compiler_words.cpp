#include "cli/compiler_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/suggestion.hpp"
#include "core/error.hpp"
#include "program/compiler_arguments.hpp"

namespace mazurka::cli {
namespace {

/// Whether it is an option of ours with one dash, as in `-j 4` and `-j4`.
bool is_short_option(const CLI::App& command, const std::string& word) {
  return word.size() >= 2 && word[1] != '-' && word.find_first_not_of("0123456789", 2) == std::string::npos &&
         command.get_option_no_throw(word.substr(0, 2)) != nullptr;
}

/// Whether the word after this one is the value of an option of ours.
bool wants_next(const CLI::App& command, const std::string& word) {
  const bool is_short = word.size() == 2 && is_short_option(command, word);
  if ((!is_short && !word.starts_with("--")) || word.find('=') != std::string::npos) return false;
  const CLI::Option* option = command.get_option_no_throw(word);
  return option != nullptr && option->get_items_expected_max() > 0;
}

bool is_compiler_option(const CLI::App& command, const std::string& word) {
  if (word.size() < 2 || word[0] != '-' || word[1] == '-' || word == "-h" || is_short_option(command, word))
    return false;
  const std::string doubled = "-" + word.substr(0, word.find('='));
  const std::vector<std::string> names = option_names(command);
  if (word.size() > 2 && std::find(names.begin(), names.end(), doubled) != names.end())
    throw InputError(fmt::format("options of check have two dashes; did you mean -{}?", word));
  return true;
}

}  // namespace

CheckWords split_check_words(const CLI::App& command, const std::vector<std::string>& words) {
  CheckWords result;
  std::string system;  // the first word that is neither an option nor the value of one
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      result.own.insert(result.own.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    if (is_compiler_option(command, word)) {
      result.compiler.push_back(word);
      if (program::takes_value(word) && i + 1 < words.size()) result.compiler.push_back(words[++i]);
    } else if (!system.empty() && program::is_source(system) && program::is_compiler_input(word)) {
      result.compiler.push_back(word);
    } else {
      result.own.push_back(word);
      if (wants_next(command, word) && i + 1 < words.size())
        result.own.push_back(words[++i]);
      else if (system.empty() && !word.starts_with('-'))
        system = word;
    }
  }
  return result;
}

}  // namespace mazurka::cli

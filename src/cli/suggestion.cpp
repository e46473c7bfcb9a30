#include "cli/suggestion.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mazurka::cli {
namespace {

/// Optimal string alignment: the distance of Levenshtein with swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool is_named(const CLI::App* app) { return !app->get_name().empty(); }

std::string question(const std::optional<std::string>& meant) {
  return meant ? fmt::format("; did you mean {}?", *meant) : "";
}

/// `--algoritm=optimal` without what stands behind the equals sign.
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const auto best = std::min_element(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
    return distance(word, a) < distance(word, b);
  });
  if (best == candidates.end() || distance(word, *best) > std::max<std::size_t>(1, word.size() / 3))
    return std::nullopt;
  return *best;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const CLI::App* group : command.get_subcommands([](const CLI::App* app) { return !is_named(app); }))
    for (std::string& name : option_names(*group)) names.push_back(std::move(name));
  return names;
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(is_named)) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return "";
  std::optional<std::string> meant = nearest(word, names);
  std::error_code error;
  if (!meant && std::filesystem::is_regular_file(word, error)) meant = fmt::format("`mazurka check {}`", word);
  return fmt::format("there is no command '{}'{}{}", word, question(meant),
                     meant ? "" : fmt::format("; there are {}", fmt::join(names, ", ")));
}

std::string unknown_options(const CLI::App& app) {
  std::vector<std::string> sentences;
  for (const CLI::App* command : app.get_subcommands()) {
    const std::vector<std::string> names = option_names(*command);
    for (const std::string& word : command->remaining(true))
      sentences.push_back(word.starts_with('-')
                              ? fmt::format("{} has no option '{}'{}", command->get_name(), name_of(word),
                                            question(nearest(name_of(word), names)))
                              : fmt::format("{} does not know what to do with '{}'", command->get_name(), word));
  }
  return fmt::format("{}", fmt::join(sentences, "\n"));
}

}  // namespace mazurka::cli

#include "assembly/assembler.hpp"

namespace mazurka::assembly {
namespace {

constexpr char kSeparator = '\x1f';

}  // namespace

std::string join_command(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += word + kSeparator;
  return result;
}

std::vector<std::string> split_command(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t end = 0; (end = text.find(kSeparator)) != std::string_view::npos; text.remove_prefix(end + 1))
    words.emplace_back(text.substr(0, end));
  return words;
}

}  // namespace mazurka::assembly

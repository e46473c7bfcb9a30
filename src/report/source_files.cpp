#include "report/source_files.hpp"

#include <filesystem>
#include <fstream>

namespace mazurka::report {
namespace {

constexpr std::uintmax_t kLargestFile = 16U << 20;  // what is larger was not written by a person

}  // namespace

const std::vector<std::string>& SourceFiles::lines(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (!is_new || path.empty()) return entry->second;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kLargestFile)
    return entry->second;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    entry->second.push_back(std::move(line));
  }
  return entry->second;
}

std::string SourceFiles::line(const std::string& path, int number) {
  const std::vector<std::string>& all = lines(path);
  if (number < 1 || static_cast<std::size_t>(number) > all.size()) return "";
  const std::string& text = all[static_cast<std::size_t>(number) - 1];
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace mazurka::report

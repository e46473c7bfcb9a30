// docs/guide.md shows commands and what they print. Whoever follows it gets that: every command of it is run, in a
// folder that has the project's examples, and its output is compared with what the guide shows.
//
// In a block ```console, a line that begins with `$ ` is a command, and what it prints follows. A line `…` stands for
// any lines. Times and rates differ from run to run, so numbers before `s`, `ms` and `/s` are not compared.
#include <regex>
#include <vector>

#include "cli/command_line_fixture.hpp"

namespace mazurka {
namespace {

struct Shown {
  std::string command;
  std::vector<std::string> output;
  int line = 0;  ///< of the command, in the guide
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    lines.push_back(std::move(line));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<Shown> commands_of(const std::filesystem::path& document) {
  std::vector<Shown> commands;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(testing::slurp(document))) {
    ++number;
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      commands.push_back({line.substr(2), {}, number});
    } else if (inside && !commands.empty()) {
      commands.back().output.push_back(line);
    }
  }
  for (Shown& shown : commands)
    while (!shown.output.empty() && shown.output.back().empty()) shown.output.pop_back();
  return commands;
}

std::string without_times(const std::string& line) {
  static const std::regex times(R"([0-9][0-9,.]*( ?(s|ms|/s)\b))");
  return std::regex_replace(line, times, "N$1");
}

/// Whether the lines from `at` on are those shown from `wanted` on, where … stands for any number of them.
bool fits(const std::vector<std::string>& shown, std::size_t wanted, const std::vector<std::string>& got,
          std::size_t at) {
  if (wanted == shown.size()) return at == got.size();
  if (shown[wanted] == "…") {
    for (std::size_t next = at; next <= got.size(); ++next)
      if (fits(shown, wanted + 1, got, next)) return true;
    return false;
  }
  return at < got.size() && without_times(shown[wanted]) == without_times(got[at]) &&
         fits(shown, wanted + 1, got, at + 1);
}

class Guide : public testing::CommandLine {
 protected:
  void SetUp() override {
    testing::CommandLine::SetUp();
    std::filesystem::create_directory_symlink(MAZURKA_SOURCE_DIR "/examples", folder_ / "examples");
    environment_ = "export PATH=" + std::filesystem::path(MAZURKA_BINARY).parent_path().string() +
                   ":$PATH COLUMNS=100 LC_ALL=C.UTF-8 NO_COLOR=1; ";
  }
  std::string environment_;
};

TEST_F(Guide, ShowsWhatItsCommandsPrint) {
  const std::vector<Shown> commands = commands_of(MAZURKA_SOURCE_DIR "/docs/guide.md");
  EXPECT_GE(commands.size(), 10U);
  for (const Shown& shown : commands) {
    const testing::Answer answer = shell(environment_ + "{ " + shown.command + "; } 2>&1");
    EXPECT_TRUE(fits(shown.output, 0, lines_of(answer.out), 0))
        << "docs/guide.md:" << shown.line << ": $ " << shown.command << "\nprints\n"
        << answer.out;
  }
}

}  // namespace
}  // namespace mazurka

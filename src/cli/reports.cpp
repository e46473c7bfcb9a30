#include "cli/reports.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output_file.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

constexpr std::size_t kLeastWidth = 60;
constexpr std::size_t kMostWidth = 160;  // longer lines are hard to follow

/// 0 where nobody says what it is.
std::size_t output_width(int stream, bool terminal) {
  std::size_t width = 0;
  const std::string_view columns = variable("COLUMNS");
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize size{};
  if (width == 0 && terminal && ioctl(stream, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? 0 : std::clamp(width, kLeastWidth, kMostWidth);
}

/// As the C library decides it, without loading a locale.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos || value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

void add_report_options(CLI::App& command, ReportOptions& options) {
  auto* group = command.add_option_group("reports", "Reports to write to files");
  group->add_option("--html", options.html, "A self-contained page to step through the bug");
  group->add_option("--sarif", options.sarif, "SARIF 2.1.0, for code hosts and editors");
  group->add_option("--junit", options.junit, "JUnit XML, for build servers");
}

report::Style output_style() {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  report::Style style;
  const std::size_t width = output_width(STDOUT_FILENO, terminal);
  style.measured = width != 0;
  if (style.measured) style.width = width;
  style.colour = terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  style.unicode = locale_is_utf8();
  return style;
}

std::string as_message(const std::string& text) {
  report::Style style;
  const std::size_t width = isatty(STDERR_FILENO) == 1 ? output_width(STDERR_FILENO, true) : 0;
  style.measured = width != 0;
  if (style.measured) style.width = width;
  return report::paragraph(text, style);
}

void print_sentence(const std::string& text) { fmt::print("{}", report::paragraph(text, output_style())); }

void print_errors(const report::Summary& summary) {
  const report::Style style = output_style();
  for (report::Story story : summary.errors) {
    if (!summary.warnings.empty()) story.warnings.clear();  // they are listed once, below all errors
    fmt::print("{}\n", report::text(story, style));
    if (!summary.can_be_saved) continue;
    if (story.replay.empty())
      print_sentence("add --save bug.mzk to keep this schedule for `mazurka replay`");
    else
      fmt::print("replay it with: {}\n", story.replay);  // in one piece, to be copied
    fmt::print("\n");
  }
}

nlohmann::ordered_json to_json(const std::vector<report::Incompleteness>& reasons) {
  auto list = nlohmann::ordered_json::array();
  for (const report::Incompleteness& why : reasons)
    list.push_back({{"reason", why.reason}, {"message", why.message}, {"advice", why.advice}});
  return list;
}

nlohmann::ordered_json to_json(const report::Summary& summary) {
  auto answer = json_frame(summary.result);
  if (summary.result == Result::Incomplete) answer["incomplete"] = to_json(summary.incomplete);
  auto& errors = answer["errors"] = nlohmann::ordered_json::array();
  for (const report::Story& story : summary.errors) errors.push_back(report::json(story));
  answer["notes"] = summary.notes;
  return answer;
}

void write_reports(Context& context, const ReportOptions& options, const report::Summary& summary) {
  if (!options.html.empty()) write_beside_answer(context, options.html, report::html(summary));
  if (!options.junit.empty()) write_beside_answer(context, options.junit, report::junit(summary));
  if (!options.sarif.empty()) {
    const auto log = report::sarif(summary, std::filesystem::current_path().string());
    write_beside_answer(context, options.sarif,
                        log.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
}

}  // namespace mazurka::cli

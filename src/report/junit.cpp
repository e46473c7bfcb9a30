#include "report/junit.hpp"

#include <fmt/format.h>

#include "report/text.hpp"

namespace mazurka::report {
namespace {

/// As an attribute or as text. What XML 1.0 cannot hold at all, or is not UTF-8, becomes a question mark.
std::string xml_text(std::string_view text, bool attribute) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80   ? 1
                               : byte < 0xC2 ? 0
                               : byte < 0xE0 ? 2
                               : byte < 0xF0 ? 3
                               : byte < 0xF5 ? 4
                                             : 0;
    bool valid = length != 0 && i + length <= text.size();
    for (std::size_t k = 1; valid && k < length; ++k)
      valid = (static_cast<unsigned char>(text[i + k]) & 0xC0U) == 0x80U;
    if (!valid || (byte < 0x20 && byte != '\n' && byte != '\t')) {
      result += '?';
      ++i;
      continue;
    }
    switch (byte) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\n': result += attribute ? "&#10;" : "\n"; break;
      default: result += text.substr(i, length);
    }
    i += length;
  }
  return result;
}

std::string attribute(std::string_view text) { return xml_text(text, true); }

}  // namespace

std::string junit(const Summary& summary) {
  const bool bug = summary.result == Result::Bug;
  const bool error = !bug && summary.result != Result::Ok;
  std::string body;
  // Some servers show the first failure of a test case only: it holds all of them.
  std::string report;
  for (const Story& story : summary.errors) {
    report += text(story, Style{}) + "\n";
    if (!story.replay.empty()) report += "replay it with: " + story.replay + "\n\n";
  }
  if (bug)
    body += fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        attribute(summary.errors.empty() ? "goal" : name(summary.errors.front().kind)),
                        attribute(headline(summary)), xml_text(report, false));
  if (error)
    body += fmt::format("    <error type=\"{}\" message=\"{}\">{}</error>\n", name(summary.result),
                        attribute(headline(summary)), xml_text(report, false));
  const Statistics& s = summary.statistics;
  std::string output = fmt::format("{}\nexecutions {}, blocked {}, cut {}, errors {}\n", headline(summary),
                                   s.executions, s.blocked, s.cut, s.errors);
  for (const std::string& reason : reasons(summary)) output += reason + "\n";
  for (const std::string& note : summary.notes) output += "note: " + note + "\n";
  for (const std::string& warning : warning_lines(summary)) output += warning + "\n";
  body += fmt::format("    <system-out>{}</system-out>\n", xml_text(output, false));
  const std::string counts = fmt::format("tests=\"1\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\"",
                                         bug ? 1 : 0, error ? 1 : 0, summary.seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"mazurka\" {}>\n"
      "<testsuite name=\"mazurka {}\" {}>\n"
      "  <testcase classname=\"mazurka.{}\" name=\"{}\" time=\"{:.3f}\">\n{}  </testcase>\n"
      "</testsuite>\n</testsuites>\n",
      counts, summary.command, counts, summary.command, attribute(summary.system), summary.seconds, body);
}

}  // namespace mazurka::report

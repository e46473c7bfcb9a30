#include "report/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/interleaving.hpp"

namespace mazurka::report {
namespace {

/// Whether somebody waits for it, so that it was said already who holds it.
bool is_waited_for(const Story& story, const Story::Held& held) {
  return std::any_of(story.waiting.begin(), story.waiting.end(),
                     [&](const Story::Wish& wish) { return wish.holder == held.thread && wish.object == held.object; });
}

std::string effort(const Story& story) {
  std::string count = story.switches == 1 ? "1 context switch" : fmt::format("{} context switches", story.switches);
  if (story.minimal) return count + ", the fewest with which it fails so";
  if (!story.minimised || story.switches == story.switches_found) return count;
  return fmt::format("{}, {} fewer than when it was found", count, story.switches_found - story.switches);
}

}  // namespace

std::string item(const std::string& text, const Style& style) {
  std::string lines;
  const std::size_t indent = 2;
  for (const std::string& line : wrapped(text, style.width > 40 ? style.width - indent - 2 : 38))
    lines += fmt::format("{:{}}{}\n", "", lines.empty() ? indent : indent + 2, line);
  return lines;
}

std::string text(const Story& story, const Style& style) {
  std::string lines;
  if (story.kind != FailureKind::None) {
    const std::size_t end = story.message.find('\n');
    const std::string head = fmt::format("{}: ", name(story.kind));
    std::vector<std::string> parts = wrapped(head + story.message.substr(0, end), style.width);
    if (parts.front().starts_with(head)) {
      lines += painted(fmt::format("{}:", name(story.kind)), Colour::Bad, style) + " ";
      parts.front().erase(0, head.size());
    }
    for (const std::string& part : parts) lines += painted(part, Colour::Bold, style) + "\n";
    if (end != std::string::npos) lines += story.message.substr(end + 1);
    lines += lines.ends_with('\n') ? "\n" : "\n\n";
  }
  lines += interleaving(story, style);
  lines += "\n";
  for (const std::string& sentence : explain(story)) lines += item(sentence, style);
  for (const Story::Held& held : story.held)
    if (!is_waited_for(story, held))
      lines +=
          item(fmt::format("{} holds {} since step {}", story.threads[held.thread].name, held.object, held.since + 1),
               style);
  lines += item(effort(story), style);
  for (const std::string& warning : story.warnings)
    lines += "\n" + painted("warning:", Colour::Bold, style) + " " + warning + "\n";
  return lines;
}

}  // namespace mazurka::report

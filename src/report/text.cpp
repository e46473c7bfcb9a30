#include "report/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/interleaving.hpp"

namespace mazurka::report {
namespace {

/// Whether somebody waits for it, so that it was said already who holds it.
bool is_waited_for(const Story& story, const Story::Held& held) {
  return std::any_of(story.waiting.begin(), story.waiting.end(), [&](const Story::BlockedOn& blocked) {
    const bool is_holder = blocked.holder == held.thread || blocked.kind == OperationKind::WriteLock;
    return is_holder && blocked.object == held.object;
  });
}

std::string effort(const Story& story) {
  std::string count = story.switches == 1 ? "1 context switch" : fmt::format("{} context switches", story.switches);
  if (story.minimal) return "minimal: " + count;
  if (!story.minimised || story.switches == story.switches_found) return count;
  return fmt::format("{}, {} before minimisation", count, story.switches_found);
}

/// The lines of a text, each within the width and with the indentation it has; what is left of one further right.
std::string within(std::string_view text, std::size_t width) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t rest = indent + 4;
    const std::vector<std::string> parts = wrapped(line.substr(indent), width > rest + 20 ? width - rest : 20);
    for (std::size_t i = 0; i < parts.size(); ++i)
      lines += fmt::format("{:{}}{}\n", "", i == 0 ? indent : rest, parts[i]);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string paragraph(std::string_view text, const Style& style) {
  return style.measured ? within(text, style.width) : fmt::format("{}\n", text);
}

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
    if (end != std::string::npos) lines += within(story.message.substr(end + 1), style.width);
    lines += "\n";
  }
  lines += interleaving(story, style);
  lines += "\n";
  for (const std::string& sentence : explain(story)) lines += item(sentence, style);
  for (const Story::Held& held : story.held)
    if (!is_waited_for(story, held) && !(story.kind == FailureKind::Assertion && is_foreign(held.object)))
      lines += item(
          fmt::format("{} has held {} since step {}", story.threads[held.thread].name, held.object, held.since + 1),
          style);
  lines += item(effort(story), style);
  for (const std::string& warning : story.warnings)
    lines += "\n" + paragraph(fmt::format("warning: {}", warning), style);
  return lines;
}

}  // namespace mazurka::report

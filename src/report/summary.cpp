#include "report/summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/counted.hpp"

namespace mazurka::report {

std::string headline(const Summary& summary) {
  if (!summary.errors.empty()) {
    const Story& first = summary.errors.front();
    const std::string line = first.message.substr(0, first.message.find('\n'));
    const std::size_t more = summary.errors.size() - 1;
    return fmt::format("{}: {}{}", name(first.kind), line, more == 0 ? "" : fmt::format(" (and {} more)", more));
  }
  switch (summary.result) {
    case Result::Bug: return "goal: " + missed_goals(summary);
    case Result::Ok:
      if (summary.command == "replay") return "ok: the schedule does not fail";
      return summary.statistics.cutoffs != 0 ? "ok: every reachable state was explored and nothing fails"
                                             : "ok: every execution was explored and none fails";
    case Result::Incomplete:
      return !summary.incomplete.empty() && summary.incomplete.front().explored_everything
                 ? "incomplete: " + summary.incomplete.front().message
                 : "incomplete: no bug found, but not every execution was explored";
    case Result::Nondeterminism: return "nondeterminism: the schedule behaves differently from when it was saved";
    default: return std::string(name(summary.result));
  }
}

std::string missed_goals(const Summary& summary) {
  std::string names;
  const auto missed = std::ranges::count(summary.goals, false, &Summary::Goal::reached);
  for (const Summary::Goal& goal : summary.goals)
    if (!goal.reached) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", goal.name);
  return missed == 0 ? "" : fmt::format("no execution reaches the goal{} {}", missed == 1 ? "" : "s", names);
}

std::vector<std::string> warning_lines(const Summary& summary) {
  std::vector<std::string> lines;
  for (const auto& [warning, executions] : summary.warnings)
    if (std::ranges::find(summary.errors, warning, &Story::message) == summary.errors.end())
      lines.push_back(fmt::format("warning, in {}: {}", counted(executions, "execution"), warning));
  return lines;
}

std::vector<std::string> reasons(const Summary& summary) {
  std::vector<std::string> sentences;
  if (summary.result == Result::Incomplete)
    // What the headline says is not said again.
    for (const Incompleteness& why : summary.incomplete)
      sentences.push_back(why.explored_everything ? why.advice : sentence(why));
  if (summary.result == Result::Incomplete && !sentence(summary.reach).empty())
    sentences.push_back(sentence(summary.reach));
  return sentences;
}

}  // namespace mazurka::report

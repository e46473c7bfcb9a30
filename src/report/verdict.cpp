#include "report/verdict.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/counted.hpp"

namespace mazurka::report {

std::string headline(const Verdict& verdict) {
  if (!verdict.errors.empty()) {
    const Story& first = verdict.errors.front();
    const std::string line = first.message.substr(0, first.message.find('\n'));
    const std::size_t more = verdict.errors.size() - 1;
    return fmt::format("{}: {}{}", name(first.kind), line, more == 0 ? "" : fmt::format(" (and {} more)", more));
  }
  switch (verdict.result) {
    case Result::Bug: return "goal: " + missed_goals(verdict);
    case Result::Ok:
      if (verdict.command == "replay") return "ok: the schedule does not fail";
      return verdict.statistics.cutoffs != 0 ? "ok: every reachable state was explored and nothing fails"
                                             : "ok: every execution was explored and none fails";
    case Result::Incomplete:
      return !verdict.incomplete.empty() && verdict.incomplete.front().explored_everything
                 ? "incomplete: " + verdict.incomplete.front().message
                 : "incomplete: no bug found, but not every execution was explored";
    case Result::Nondeterminism: return "nondeterminism: the schedule behaves differently from when it was saved";
    default: return std::string(name(verdict.result));
  }
}

std::string missed_goals(const Verdict& verdict) {
  std::string names;
  const auto missed = std::ranges::count(verdict.goals, false, &Verdict::Goal::reached);
  for (const Verdict::Goal& goal : verdict.goals)
    if (!goal.reached) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", goal.name);
  return missed == 0 ? "" : fmt::format("no execution reaches the goal{} {}", missed == 1 ? "" : "s", names);
}

std::vector<std::string> warning_lines(const Verdict& verdict) {
  std::vector<std::string> lines;
  for (const auto& [warning, executions] : verdict.warnings)
    if (std::ranges::find(verdict.errors, warning, &Story::message) == verdict.errors.end())
      lines.push_back(fmt::format("warning, in {}: {}", counted(executions, "execution"), warning));
  return lines;
}

std::vector<std::string> reasons(const Verdict& verdict) {
  std::vector<std::string> sentences;
  if (verdict.result == Result::Incomplete)
    // What the headline says is not said again.
    for (const Incompleteness& why : verdict.incomplete)
      sentences.push_back(why.explored_everything ? why.advice : sentence(why));
  if (verdict.result == Result::Incomplete && !sentence(verdict.reach).empty())
    sentences.push_back(sentence(verdict.reach));
  return sentences;
}

}  // namespace mazurka::report

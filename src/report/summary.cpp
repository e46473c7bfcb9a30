#include "report/summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/counted.hpp"

namespace mazurka::report {

namespace {

/// What was found proves nothing: uninstrumented code may order the accesses of a data race.
bool is_doubtful(const Summary& summary) { return summary.result == Result::Incomplete && !summary.errors.empty(); }

/// Whether a reason is the headline.
bool is_headline(const Summary& summary, const Incompleteness& why) {
  return (why.explored_everything || is_doubtful(summary)) && &why == &summary.incomplete.front();
}

/// With cutoffs, the states are covered, not the executions.
bool covers_states(const Summary& summary) { return summary.statistics.cutoffs != 0; }

}  // namespace

std::string all_explored(const Summary& summary) {
  return covers_states(summary) ? "every reachable state was explored and nothing fails"
                                : "every execution was explored and none fails";
}

std::string headline(const Summary& summary) {
  if (!summary.errors.empty() && !is_doubtful(summary)) {
    const Story& first = summary.errors.front();
    const std::string line = first.message.substr(0, first.message.find('\n'));
    const std::size_t more = summary.errors.size() - 1;
    return fmt::format("{}: {}{}", name(first.kind), line, more == 0 ? "" : fmt::format(" (and {} more)", more));
  }
  switch (summary.result) {
    case Result::Bug: return "goal: " + missed_goals(summary);
    case Result::Ok:
      if (summary.command == "replay") return "ok: the schedule does not fail";
      return "ok: " + all_explored(summary);
    case Result::Incomplete:
      return !summary.incomplete.empty() && is_headline(summary, summary.incomplete.front())
                 ? "incomplete: " + summary.incomplete.front().message
                 : fmt::format("incomplete: no bug found, but not every {} was explored",
                               covers_states(summary) ? "reachable state" : "execution");
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
      sentences.push_back(is_headline(summary, why) ? why.advice : sentence(why));
  if (summary.result == Result::Incomplete && !sentence(summary.reach).empty())
    sentences.push_back(sentence(summary.reach));
  return sentences;
}

}  // namespace mazurka::report

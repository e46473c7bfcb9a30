#include "cli/incomplete.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "core/interrupt.hpp"
#include "program/protocol.hpp"

namespace mazurka::cli {
namespace {

using report::Incompleteness;

std::string executions(std::uint64_t count) {
  return count == 1 ? "1 execution was" : fmt::format("{} executions were", grouped(count));
}

/// Executions that a limit ended.
Incompleteness cut_reason(const ExploreOptions& options, const Statistics& s) {
  constexpr std::uint64_t kMost = protocol::kMaxEvents;
  const char* const loops = "a loop without end has to be bounded, or mazurka_assume(condition) to take its place";
  if (s.max_depth >= std::min(options.max_steps, kMost))
    return {"max-steps", fmt::format("{} cut after {}", executions(s.limited), counted(s.max_depth, "step")),
            options.max_steps < kMost ? fmt::format("raise --max-steps; {}", loops) : std::string(loops)};
  return {"loop", fmt::format("{} ended in a loop that reads plain memory", executions(s.limited)), loops};
}

Incompleteness time_reason(double limit) {
  return {"time-limit", fmt::format("the time limit of {} s was reached", limit),
          "raise --time-limit, or make the system smaller (fewer threads, fewer rounds)"};
}

}  // namespace

Incompleteness interrupt_reason(double time_limit) {
  if (time_limit > 0 && seconds_since_start() >= time_limit) return time_reason(time_limit);
  return {"interrupt", "it was interrupted", "let it run longer, or make the system smaller"};
}

std::vector<Incompleteness> why_incomplete(const ExploreOptions& options, const Exploration& exploration,
                                           const Stop& stop) {
  const Statistics& s = exploration.statistics;
  if (exploration.complete)
    return {{"assumptions", "no execution satisfies the assumptions",
             "they cut every execution, so nothing was checked; weaken them", true}};
  std::vector<Incompleteness> reasons;
  // A time limit interrupts, too.
  if (stop.out_of_time)
    reasons.push_back(time_reason(stop.time_limit));
  else if (interrupted())
    reasons.push_back(interrupt_reason(stop.time_limit));
  if (options.algorithm == "random")
    reasons.push_back({"random", "random walks prove nothing",
                       "use them to look for bugs, and --algorithm=optimal to explore every execution"});
  else if (options.max_executions != 0 && s.executions + s.blocked + s.cut >= options.max_executions)
    reasons.push_back({"max-executions", "it stopped after " + counted(s.executions + s.blocked + s.cut, "execution"),
                       "raise --max-executions"});
  if (s.limited != 0 && options.algorithm != "random") reasons.push_back(cut_reason(options, s));
  for (const auto& [key, value] : exploration.details)
    if (key == kSkippedBySwitches && value != 0)
      reasons.push_back({"context-switches",
                         fmt::format("{} continuation{} with more than {} context switches {} left out", grouped(value),
                                     value == 1 ? "" : "s", options.context_switches, value == 1 ? "was" : "were"),
                         "raise --context-switches, or leave it out"});
  return reasons;
}

}  // namespace mazurka::cli

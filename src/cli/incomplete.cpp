#include "cli/incomplete.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "core/interrupt.hpp"
#include "program/protocol.hpp"
#include "walk/coverage.hpp"

namespace mazurka::cli {
namespace {

using report::Incompleteness;

std::string executions(std::uint64_t count) {
  return count == 1 ? "1 execution was" : fmt::format("{} executions were", grouped(count));
}

/// The first place where something went no further, of creations of threads or of the others: `in f.c:3 (main)`.
std::string where(const report::Reach& reach, bool creates_thread) {
  for (const report::CutPlace& cut : reach.cut)
    if (cut.creates_thread == creates_thread) return " in " + cut.text;
  return "";
}

/// Executions that a limit ended. Those of a network end by themselves: one with a cycle is refused.
void add_cuts(const ExploreOptions& options, const Statistics& s, const report::Reach& reach, bool is_program,
              std::vector<Incompleteness>& reasons) {
  constexpr std::uint64_t kMost = protocol::kMaxEvents;
  const std::string place = where(reach, false);
  const std::string loops = fmt::format("bound {}, or replace it by mazurka_assume(condition)",
                                        place.empty() ? "the endless loop" : "the loop" + place);
  if (s.stopped_by_length != 0)
    reasons.push_back({"max-steps",
                       fmt::format("{} cut after {}", executions(s.stopped_by_length),
                                   counted(std::min(options.max_steps, kMost), "step")),
                       !is_program                 ? "raise --max-steps"
                       : options.max_steps < kMost ? "raise --max-steps, " + loops
                                                   : loops});
  if (s.stopped_by_threads != 0 && reach.bound.threads >= options.max_threads)
    reasons.push_back({"max-threads",
                       fmt::format("{} cut where thread number {} is created{}", executions(s.stopped_by_threads),
                                   std::uint64_t{options.max_threads} + 1, where(reach, true)),
                       "raise --max-threads"});
  if (s.stopped_by_table != 0)
    reasons.push_back(
        {"threads",
         fmt::format("{} cut where more than {} different threads are created{}", executions(s.stopped_by_table),
                     grouped(protocol::kMaxProcesses - 1), where(reach, true)),
         "bound the loop or recursion that creates them, or give --max-threads"});
  if (s.stopped_by_loop != 0)
    reasons.push_back(
        {"loop", fmt::format("{} cut in a loop that spins on plain memory", executions(s.stopped_by_loop)), loops});
}

Incompleteness time_reason(double limit) {
  return {"time-limit", fmt::format("the time limit of {} s was reached", limit),
          "raise --time-limit, or make the system smaller (fewer threads, fewer iterations)"};
}

}  // namespace

Incompleteness interrupt_reason(double time_limit) {
  if (time_limit > 0 && seconds_since_start() >= time_limit) return time_reason(time_limit);
  return {"interrupt", "it was interrupted", "let it run longer, or make the system smaller"};
}

std::string what_was_sampled(const ExplorationResult& exploration) {
  std::string text;
  for (const auto& [key, value] : exploration.details) {
    if (key == kDistinctClasses)
      text =
          fmt::format("the sampled executions belong to {}{}", value >= walk::Coverage::kMostClasses ? "at least " : "",
                      value == 1 ? "1 class" : fmt::format("{} distinct classes", grouped(value)));
    if (key == kReadsFromPairs) text += fmt::format(", with {}", counted(value, "reads-from pair"));
  }
  return text;
}

std::vector<Incompleteness> why_incomplete(const ExploreOptions& options, const ExplorationResult& exploration,
                                           const report::Reach& reach, const Stop& stop, bool is_program) {
  const Statistics& s = exploration.statistics;
  if (exploration.complete)
    return {{"assumptions", "no execution satisfies the assumptions", "weaken the assumptions", true}};
  std::vector<Incompleteness> reasons;
  // A time limit interrupts, too.
  if (stop.out_of_time)
    reasons.push_back(time_reason(stop.time_limit));
  else if (interrupted() && options.hunt == 0)  // whose end is such an interrupt
    reasons.push_back(interrupt_reason(stop.time_limit));
  constexpr const char* kAdvice = "use them to hunt bugs, and --algorithm=optimal to explore every execution";
  if (options.hunt > 0)
    reasons.push_back({"hunt", "a hunt samples executions, which proves nothing",
                       "raise --hunt to search longer, or remove it to explore every execution"});
  else if (options.algorithm == "random")
    reasons.push_back({"random", "random walks prove nothing", kAdvice});
  else if (is_sampling(options))
    reasons.push_back({"sampling", "sampled executions prove nothing", kAdvice});
  else if (options.max_executions != 0 && reach.runs >= options.max_executions)
    reasons.push_back(
        {"max-executions", "it stopped after " + counted(reach.runs, "execution"), "raise --max-executions"});
  if (!is_sampling(options)) add_cuts(options, s, reach, is_program, reasons);
  for (const auto& [key, value] : exploration.details)
    if (key == kSkippedBySwitches && value != 0)
      reasons.push_back(
          {"context-switches",
           fmt::format("{} schedule{} with more than {} {} left out", grouped(value), value == 1 ? "" : "s",
                       options.context_switches == 1 ? "1 context switch"
                                                     : fmt::format("{} context switches", options.context_switches),
                       value == 1 ? "was" : "were"),
           "raise --context-switches, or remove it"});
  return reasons;
}

}  // namespace mazurka::cli

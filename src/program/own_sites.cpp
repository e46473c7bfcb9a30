// Without optimisation, std::lock_guard and its kin are functions of their own, in system headers: the line to show is
// that of their caller. What functions those are is known when an execution is shown, not before, and the worker need
// not look for callers in all the others. So the execution is repeated, and the worker told to pass over them, until
// all sites are the user's.
#include <algorithm>

#include "program/executor.hpp"

namespace mazurka::program {
namespace {

constexpr unsigned kMostRuns = 16;  // each finds the callers of functions that the one before found

bool same_steps(const Execution& a, const Execution& b) {
  return a.outcome == b.outcome && a.pending.size() == b.pending.size() &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                    [](const Event& x, const Event& y) { return x.step() == y.step() && x.operation == y.operation; });
}

}  // namespace

Execution ProgramExecutor::with_own_sites(const Execution& execution) {
  if (!placer_ || !encloser_ || !configuration().debugger.empty()) return execution;
  Execution result = execution;
  const Warnings warnings = all_warnings_;  // counted once is enough
  const auto forget = [this] {              // what the next run would be compared with
    execution_.clear();
    is_latest_ = false;
  };
  std::vector<Step> schedule;
  for (const Event& event : execution.events) schedule.push_back(event.step());
  Job job;
  job.prefix = schedule;
  job.continuation = Continuation::Stop;
  for (unsigned i = 0; i < kMostRuns && pass_over(result); ++i) {
    forget();
    const Execution& again = run(job);
    if (!same_steps(again, execution)) break;
    for (std::size_t j = 0; j < result.events.size(); ++j) result.events[j].site = again.events[j].site;
    for (std::size_t j = 0; j < result.pending.size(); ++j) result.pending[j].site = again.pending[j].site;
    if (result.error_site != 0) result.error_site = again.error_site;
  }
  worker_.channel().passed_over_count = 0;
  forget();
  all_warnings_ = warnings;
  return result;
}

bool ProgramExecutor::pass_over(const Execution& execution) {
  protocol::Channel& channel = worker_.channel();
  const std::uint32_t before = channel.passed_over_count;
  const auto look_at = [&](std::uint64_t site) {
    if (site == 0 || channel.passed_over_count == protocol::kMaxPassedOver || !place(site).in_system_header()) return;
    const protocol::CodeRange function = encloser_(site);
    const std::span known(channel.passed_over, channel.passed_over_count);
    const auto is_it = [&](const protocol::CodeRange& range) { return range.begin == function.begin; };
    if (function.begin == function.end || std::ranges::any_of(known, is_it)) return;
    channel.passed_over[channel.passed_over_count++] = function;
  };
  for (const Event& event : execution.events) look_at(event.site);
  for (const Offer& offer : execution.pending) look_at(offer.site);
  look_at(execution.error_site);
  return channel.passed_over_count != before;
}

}  // namespace mazurka::program

#include "program/report_run.hpp"

#include <algorithm>
#include <unordered_set>
#include <variant>
#include <vector>

namespace mazurka::program {
namespace {

constexpr unsigned kMostRuns = 16;         // each finds the callers of the functions found by the one before
constexpr std::size_t kMostSteps = 20000;  // finding callers for more steps takes too long

/// Whether `again` repeats an execution. Unwinding leaves values on the stacks, so that a round of a timed wait may not
/// be recognised as idle: the repetition of a deadlock may then be able to continue.
bool repeats(const Execution& again, const Execution& execution) {
  const bool same_end = again.outcome == execution.outcome ||
                        (again.outcome == Outcome::Stopped && execution.outcome == Outcome::Deadlock);
  return same_end &&
         std::equal(again.events.begin(), again.events.end(), execution.events.begin(), execution.events.end(),
                    [](const Event& x, const Event& y) { return x.step() == y.step() && x.operation == y.operation; });
}

/// Copies the sites of the operations that processes would perform next.
void copy_pending_sites(const Execution& again, Execution& execution) {
  for (Offer& offer : execution.pending) {
    const auto is_it = [&](const Offer& other) {
      return other.process == offer.process && other.operation.kind == offer.operation.kind &&
             other.operation.object == offer.operation.object;
    };
    if (const auto found = std::ranges::find_if(again.pending, is_it); found != again.pending.end())
      offer.site = found->site;
  }
}

/// Picks the first site in the user's own code among those where a thread may have been.
void pick_place(const ProgramNames& names, Failure& failure) {
  if (failure.site != 0) return;
  const auto is_users = [&](std::uint64_t site) {
    const CodePlace place = names.place(site);
    return place.line > 0 && !place.in_foreign_header() && !names.is_runtime(site);
  };
  const auto found = std::ranges::find_if(failure.nearby, is_users);
  if (found != failure.nearby.end()) failure.site = *found;
}

/// The destructor of std::thread, and its assignment, terminate the program without saying why.
void name_misuse(const ProgramNames& names, std::uint64_t site, Failure& failure) {
  if (failure.kind == FailureKind::Abort && names.is_in_thread_end(site))
    failure.detail = GivenWords("a joinable std::thread is destroyed or assigned to: join or detach it first");
}

/// A crash inside the C library, where the runtime's function of a name called the library's: the failure is where the
/// program called the first.
void leave_runtime(const ProgramNames& names, Failure& failure) {
  if (failure.kind != FailureKind::Signal || failure.inside.empty()) return;
  const auto is_own = [&](std::uint64_t site) { return names.is_runtime(site); };
  const auto caller = std::ranges::find_if_not(failure.stack, is_own);
  if (caller == failure.stack.begin() || caller == failure.stack.end()) return;
  failure.stack.erase(failure.stack.begin(), caller);
  failure.site = failure.stack.front();
}

/// A crash inside a function of a system header, or inside an interposed function, is attributed to that function: the
/// failure is at the call. `stack` is that of the crash, innermost frame first.
void leave_libraries(const ProgramNames& names, const CallStack& stack, Failure& failure) {
  const auto is_foreign = [&](std::uint64_t site) {
    return names.is_runtime(site) || names.place(site).in_foreign_header();
  };
  if (failure.kind != FailureKind::Signal || !failure.inside.empty() || !is_foreign(failure.site)) return;
  const auto caller = std::ranges::find_if_not(stack, is_foreign);
  if (caller == stack.begin() || caller == stack.end()) return;
  failure.inside = names.place(names.function(*(caller - 1)).begin + 1).function;  // not a function inlined there
  failure.site = *caller;
  failure.stack.assign(caller, stack.end());
}

/// Adds the functions of system headers that contain sites of this execution. Returns whether there are new ones. Each
/// site is checked once: finding its name walks over all symbols.
bool add_skipped(std::vector<protocol::CodeRange>& skipped, std::unordered_set<std::uint64_t>& known,
                 const ProgramNames& names, const Execution& execution) {
  const std::size_t before = skipped.size();
  const auto is_skipped = [&](std::uint64_t site) {
    return names.place(site).in_foreign_header() || names.is_runtime(site) || names.is_framework(site);
  };
  const auto look_at = [&](std::uint64_t site) {
    if (site == 0 || skipped.size() == protocol::kMaxSkippedRanges || !known.insert(site).second || !is_skipped(site))
      return;
    const protocol::CodeRange function = names.function(site);
    const auto is_it = [&](const protocol::CodeRange& range) { return range.begin == function.begin; };
    if (function.begin == function.end || std::ranges::any_of(skipped, is_it)) return;
    skipped.push_back(function);
  };
  for (const Event& event : execution.events) look_at(event.site);
  for (const Offer& offer : execution.pending) look_at(offer.site);
  for (const HeapBlock& block : execution.heap) look_at(block.site);
  look_at(execution.failure.site);
  return skipped.size() != before;
}

}  // namespace

Execution prepared_for_report(ProgramExecutor& executor, const ProgramNames& names, Execution execution) {
  pick_place(names, execution.failure);
  leave_runtime(names, execution.failure);
  // Repeating an execution that blocks in a system call would take the watchdog's limit every time.
  const bool is_stuck = std::holds_alternative<StuckInSystemCall>(execution.failure.detail);
  if (!execution.can_be_repeated() || is_stuck || execution.events.size() > kMostSteps ||
      !executor.configuration().debugger.empty())
    return execution;
  Job job;
  for (const Event& event : execution.events) job.prefix.push_back(event.step());
  job.continuation = Continuation::Stop;
  std::vector<protocol::CodeRange> skipped;
  std::unordered_set<std::uint64_t> known;
  CallStack crash;
  for (unsigned i = 0; i < kMostRuns; ++i) {
    Execution again = executor.run_for_report(job, skipped);
    if (!repeats(again, execution)) break;
    name_misuse(names, again.failure.site, execution.failure);
    for (std::size_t j = 0; j < execution.events.size(); ++j) execution.events[j].site = again.events[j].site;
    copy_pending_sites(again, execution);
    leave_runtime(names, again.failure);
    if (execution.failure.site != 0) execution.failure.site = again.failure.site;
    execution.heap = std::move(again.heap);
    crash = std::move(again.failure.stack);
    if (!add_skipped(skipped, known, names, execution)) break;
  }
  leave_libraries(names, crash, execution.failure);
  return execution;
}

}  // namespace mazurka::program

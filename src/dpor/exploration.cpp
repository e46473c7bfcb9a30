#include "dpor/exploration.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/account.hpp"
#include "core/failure.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "core/ticks.hpp"

namespace mazurka::dpor {

Exploration::Exploration(Executor& executor, Options options)
    : executor_(executor),
      options_(options),
      path_(options.algorithm == Algorithm::Observers),
      finder_(
          executor, options.algorithm == Algorithm::Observers ? Trace::Stores::Observed : Trace::Stores::Ordered,
          [this](Reversal& v) { return plan(v); }, [this](std::size_t length) { begin_next(length); }) {}

Planned Exploration::plan(Reversal& v) {
  const std::uint64_t start = ticks();
  Planned planned{};
  switch (options_.algorithm) {
    case Algorithm::Source: planned = plan_source(path_, v, options_.initial); break;
    case Algorithm::Optimal: planned = plan_optimal(path_, v); break;
    case Algorithm::Observers: planned = plan_observers(path_, v); break;
  }
  insertion_ticks_ += ticks() - start;
  return planned;
}

Result Exploration::run(Listener& listener) {
  Result result;
  std::uint64_t number = 0;
  bool finished = false;
  make_job();
  std::uint64_t executor_ticks = 0;
  std::uint64_t finder_ticks = 0;
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t start_ticks = ticks();
  while (number < options_.max_executions && !interrupted()) {
    const std::uint64_t begin = ticks();
    const Execution* execution = &execute();
    const std::uint64_t end = ticks();
    executor_ticks += end - begin;
    const auto count = [&](const Execution& found) { return account(found, number++, result.statistics, listener); };
    if (!count(*execution)) break;
    if (failed_on_its_own(job_, *execution)) execution = put_failure_last(executor_, job_, *execution, count);
    if (execution == nullptr) break;
    extend_path(*execution);
    estimator_.observe(path_, result.statistics);
    keep(*execution);
    job_.begun = false;
    const std::size_t known = std::exchange(known_, SIZE_MAX);
    const bool found_all =
        finder_.find(execution_, known, [&] { return !interrupted() && listener.on_progress(result.statistics); });
    finder_ticks += ticks() - end;
    if (finder_.diverged()) {  // a part of the execution no longer does what it did
      account(*finder_.diverged(), number, result.statistics, listener);
      break;
    }
    if (!found_all) break;
    finished = !job_.begun && !backtrack(0);
    if (finished) break;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const auto seconds = [&, all = static_cast<double>(ticks() - start_ticks)](std::uint64_t part) {
    return elapsed.count() * static_cast<double>(part) / all;
  };
  result.races = finder_.races();
  result.probes = finder_.probes();
  result.planned = path_.trees.added();
  result.skipped = skipped_;
  result.seconds = {seconds(executor_ticks), seconds(finder_ticks - insertion_ticks_ - finder_.probe_ticks()),
                    seconds(finder_.probe_ticks()), seconds(insertion_ticks_)};
  result.complete = finished && result.statistics.limited == 0 && skipped_ == 0;
  return result;
}

/// What the job is to be after the path has changed.
void Exploration::make_job() {
  prefix_.resize(std::min(known_, prefix_.size()));
  for (std::size_t i = prefix_.size(); i < path_.size(); ++i) prefix_.push_back(path_[i].current.step);
  asleep_.clear();
  if (!path_.empty() && options_.algorithm != Algorithm::Observers)
    for (const LabelledStep& q : path_.sleep(path_.size() - 1))
      if (q.step.process != path_.back().current.step.process &&
          !dependent(q.operation, path_.back().current.operation))
        asleep_.push_back(q);
  job_.prefix = prefix_;
  job_.continuation = Continuation::First;
  job_.sleep = asleep_;
  job_.max_steps = options_.max_steps;
}

/// All that will be planned after prefixes of this length or longer has been planned: if there is something, the system
/// can run while the rest of the last execution is looked at.
void Exploration::begin_next(std::size_t length) {
  if (job_.begun || !backtrack(length)) return;
  executor_.begin(job_);
  job_.begun = true;
}

const Execution& Exploration::execute() {
  const Execution& execution = executor_.run(job_);
  MZ_INVARIANT(options_.algorithm != Algorithm::Optimal || execution.outcome != Outcome::SleepBlocked,
               "Optimal-DPOR explores no sleep-set-blocked execution");
  return execution;
}

void Exploration::extend_path(const Execution& execution) {
  while (path_.size() > execution.events.size()) path_.pop();  // a step that was planned turned out to fail
  for (std::size_t i = path_.size(); i < execution.events.size(); ++i) {
    path_.push({execution.events[i].step(), execution.events[i].operation});
    prefix_.push_back(execution.events[i].step());
  }
  if (execution.fatal() && !path_.empty()) path_.back().current.operation.flags |= kFatal;
}

void Exploration::keep(const Execution& execution) {
  execution_.events.resize(known_);
  execution_.events.insert(execution_.events.end(), execution.events.begin() + static_cast<std::ptrdiff_t>(known_),
                           execution.events.end());
  execution_.offers = execution.offers;
  execution_.pending = execution.pending;
  execution_.outcome = execution.outcome;
  execution_.error_process = execution.error_process;
}

bool Exploration::backtrack(std::size_t length) {
  for (;;) {
    while (path_.size() > length && path_.back().planned == WakeupTrees::kNone) path_.pop();
    if (path_.size() <= length) return false;
    known_ = std::min(known_, path_.size() - 1);
    if (follow_first_planned()) break;
    ++skipped_;
  }
  make_job();
  return true;
}

/// Explore(E.p, subtree(wut(E), p)). False where that has too many context switches; then p is done all the same.
bool Exploration::follow_first_planned() {
  WakeupTrees::Node next = path_.trees.take_first(path_.back().planned);
  path_.replace(next.step);  // add the current step to done(E)
  while (next.child != WakeupTrees::kNone) {
    WakeupTrees::Index children = next.child;
    next = path_.trees.take_first(children);
    path_.push(next.step, children);
  }
  MZ_INVARIANT(options_.algorithm != Algorithm::Observers || !path_.redundant(),
               "no leaf of a wakeup tree is redundant (Def. 4 of Optimal DPOR with Observers)");
  return path_.back().switches <= options_.max_context_switches;
}

}  // namespace mazurka::dpor

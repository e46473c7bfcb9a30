#include "dpor/exploration.hpp"

#include <algorithm>
#include <utility>

#include "core/account.hpp"
#include "core/failure.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "core/stopwatch.hpp"

namespace mazurka::dpor {

Exploration::Exploration(Executor& executor, Options options)
    : executor_(executor),
      options_(options),
      path_(options.algorithm == Algorithm::Observers),
      finder_(
          executor, options.algorithm == Algorithm::Observers ? Trace::Stores::Observed : Trace::Stores::Ordered,
          [this](Reversal& v) { return plan(v); }, [this](std::size_t length) { begin_next(length); }) {}

Result Exploration::run(Listener& listener) {
  const TickScale scale;
  bool finished = false;
  make_job();
  while (!finished && number_ < options_.max_executions && !interrupted()) {
    const Execution* execution = execute(listener);  // E, on to its end
    if (execution == nullptr) break;
    extend_path(*execution);                           // Explore(E.p) for each of its steps
    if (!plan_reversals(*execution, listener)) break;  // for each race of E: insert v into wut(E')
    finished = !backtrack();                           // Explore(E'.p) with the first p of wut(E'), E' the longest
  }
  result_.races = finder_.races();
  result_.probes = finder_.probes();
  result_.planned = path_.trees.added();
  result_.seconds.executor = scale.seconds(ticks_.executing);
  result_.seconds.races = scale.seconds(ticks_.finding - ticks_.planning - finder_.probe_ticks());
  result_.seconds.probes = scale.seconds(finder_.probe_ticks());
  result_.seconds.insertion = scale.seconds(ticks_.planning);
  result_.complete = finished && result_.statistics.limited == 0 && result_.skipped == 0;
  return result_;
}

const Execution* Exploration::execute(Listener& listener) {
  const Execution* execution = &run_job();
  MZ_INVARIANT(options_.algorithm != Algorithm::Optimal || execution->outcome != Outcome::SleepBlocked,
               "Optimal-DPOR explores no sleep-set-blocked execution");
  const auto count = [&](const Execution& found) { return account_for(found, listener); };
  if (!count(*execution)) return nullptr;
  if (failed_on_its_own(job_, *execution)) execution = put_failure_last(executor_, job_, *execution, count);
  return execution;
}

const Execution& Exploration::run_job() {
  const Stopwatch stopwatch(ticks_.executing);
  return executor_.run(job_);
}

bool Exploration::account_for(const Execution& execution, Listener& listener) {
  return account(execution, number_++, result_.statistics, listener);
}

bool Exploration::plan_reversals(const Execution& execution, Listener& listener) {
  const Stopwatch stopwatch(ticks_.finding);
  estimator_.observe(path_, result_.statistics);
  keep(execution);
  job_.begun = false;
  const std::size_t known = std::exchange(known_, SIZE_MAX);
  const bool found_all =
      finder_.find(execution_, known, [&] { return !interrupted() && listener.on_progress(result_.statistics); });
  // A part of the execution no longer does what it did.
  if (finder_.diverged()) account_for(*finder_.diverged(), listener);
  return found_all;
}

Planned Exploration::plan(Reversal& v) {
  const Stopwatch stopwatch(ticks_.planning);
  switch (options_.algorithm) {
    case Algorithm::Source: return plan_source(path_, v, options_.initial);
    case Algorithm::Optimal: return plan_optimal(path_, v);
    case Algorithm::Observers: return plan_observers(path_, v);
  }
  return Planned::Open;
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
    ++result_.skipped;
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

#include "dpor/exploration.hpp"

#include <algorithm>
#include <utility>

#include "core/account.hpp"
#include "core/failure.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "core/stopwatch.hpp"

namespace mazurka::dpor {

Exploration::Exploration(Executor& executor, Options options, Awaited awaited)
    : executor_(executor),
      options_(options),
      version_(executor.version()),
      awaited_(std::move(awaited)),
      path_(options.algorithm == Algorithm::Observers),
      finder_(
          executor, options.algorithm == Algorithm::Observers ? Trace::Stores::Observed : Trace::Stores::Ordered,
          [this](Reversal& v) { return plan(v); }, [this](std::size_t length) { submit_next(length); }) {}

Result Exploration::run(Listener& listener) {
  job_.learns = true;
  const TickScale scale;
  bool finished = false;
  make_job();
  while (!finished && number_ < options_.max_executions && !interrupted()) {
    if (!execute(listener)) break;         // E, on to its end
    extend_path();                         // Explore(E.p) for each of its steps
    if (!plan_reversals(listener)) break;  // for each race of E: insert v into wut(E')
    finished = !backtrack();               // Explore(E'.p) with the first p of wut(E'), E' the longest
  }
  if (begins_anew_) {
    if (submitted_) executor_.collect(*submitted_, execution_);
    listener.on_new_beginning();
    return Exploration(executor_, options_, std::move(awaited_)).run(listener);
  }
  result_.races = finder_.races();
  result_.probes = finder_.probes();
  result_.planned = path_.trees.added();
  result_.seconds.executor = scale.seconds(ticks_.executing);
  result_.seconds.races = scale.seconds(ticks_.finding - ticks_.planning - finder_.probe_ticks());
  result_.seconds.probes = scale.seconds(finder_.probe_ticks());
  result_.seconds.insertion = scale.seconds(ticks_.planning);
  // Whoever is interrupted may have left something unplanned.
  result_.complete = finished && !interrupted() && !result_.statistics.is_cut() && result_.skipped == 0;
  return result_;
}

bool Exploration::execute(Listener& listener) {
  run_job();
  if (executor_.version() != version_ || (options_.algorithm == Algorithm::Observers && awaited_.add(execution_))) {
    begins_anew_ = true;
    return false;
  }
  MZ_INVARIANT(options_.algorithm != Algorithm::Optimal || execution_.outcome != Outcome::SleepBlocked,
               "Optimal-DPOR explores no sleep-set-blocked execution");
  const auto count = [&](const Execution& found) { return account_for(found, listener); };
  if (!count(execution_)) return false;
  if (failed_on_its_own(job_, execution_) && !put_failure_last(executor_, job_, execution_, count)) return false;
  awaited_.mark(execution_);
  return true;
}

void Exploration::run_job() {
  const Stopwatch stopwatch(ticks_.executing);
  if (!submitted_) submitted_ = executor_.submit(job_);
  executor_.collect(*submitted_, execution_);
  submitted_.reset();
}

bool Exploration::account_for(const Execution& execution, Listener& listener) {
  return account(execution, number_++, result_.statistics, listener);
}

bool Exploration::plan_reversals(Listener& listener) {
  const Stopwatch stopwatch(ticks_.finding);
  estimator_.observe(path_, result_.statistics);
  const std::size_t known = std::exchange(known_, SIZE_MAX);
  const bool found_all =
      finder_.find(execution_, known, [&] { return !interrupted() && listener.on_progress(result_.statistics); });
  begins_anew_ = executor_.version() != version_;
  if (begins_anew_) return false;
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
  job_.prefix.resize(std::min(known_, job_.prefix.size()));
  for (std::size_t i = job_.prefix.size(); i < path_.size(); ++i) job_.prefix.push_back(path_[i].current.step);
  job_.sleep.clear();
  if (!path_.empty() && options_.algorithm != Algorithm::Observers)
    for (const LabelledStep& q : path_.sleep(path_.size() - 1))
      if (q.step.process != path_.back().current.step.process &&
          !dependent(q.operation, path_.back().current.operation))
        job_.sleep.push_back(q);
  job_.max_steps = options_.max_steps;
  job_.bound = options_.bound;
}

/// All that will be planned after prefixes of this length or longer has been planned: if there is something, the system
/// can run while the rest of the last execution is looked at.
void Exploration::submit_next(std::size_t length) {
  if (submitted_ || !backtrack(length)) return;
  submitted_ = executor_.submit(job_);
}

void Exploration::extend_path() {
  const std::vector<Event>& events = execution_.events;
  while (path_.size() > events.size()) path_.pop();  // a step that was planned turned out to fail
  for (std::size_t i = path_.size(); i < events.size(); ++i) {
    path_.push({events[i].step(), events[i].operation});
    job_.prefix.push_back(events[i].step());
  }
  if (execution_.fatal() && !path_.empty()) path_.back().current.operation.flags |= kFatal;
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

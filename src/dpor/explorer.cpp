#include "dpor/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/failure.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "core/record_outcome.hpp"
#include "core/stopwatch.hpp"

namespace mazurka::dpor {

Explorer::Explorer(Executor& executor, const Options& options, const Awaited& awaited, const Counted& before,
                   Coordinator& coordinator, Listener& listener)
    : executor_(executor),
      coordinator_(coordinator),
      listener_(listener),
      options_(options),
      version_(executor.version()),
      awaited_(awaited),
      path_(options_.algorithm == Algorithm::Observers),
      finder_(
          executor, options_.algorithm == Algorithm::Observers ? Trace::Stores::Observed : Trace::Stores::Ordered,
          [this](Reversal& v) { return plan(v); }, [this](std::size_t length) { submit_next(length); }) {
  job_.learns = true;
  job_.max_steps = options_.max_steps;
  job_.bound = options_.bound;
  result_.statistics = before.statistics;
  result_.skipped = before.skipped;
}

void Explorer::run() {
  const TickScale scale;
  while (take_subtree() && explore_subtree()) finish_subtree();
  coordinator_.stop();  // where it is not over, whoever else explores need not go on
  if (submitted_ && !interrupted()) executor_.collect(*submitted_, execution_);
  result_.races = finder_.races();
  result_.probes = finder_.probes();
  result_.planned = path_.trees.added();
  result_.seconds.executor = scale.seconds(ticks_.executing);
  result_.seconds.races = scale.seconds(ticks_.finding - ticks_.planning - finder_.probe_ticks());
  result_.seconds.probes = scale.seconds(finder_.probe_ticks());
  result_.seconds.insertion = scale.seconds(ticks_.planning);
}

bool Explorer::explore_subtree() {
  do {
    if (!execute()) return false;         // E, on to its end
    extend_path();                        // Explore(E.p) for each of its steps
    hand_over();                          // some of wut(E'), if others have nothing to do
    if (!plan_reversals()) return false;  // for each race of E: insert v into wut(E')
  } while (backtrack());                  // Explore(E'.p) with the first p of wut(E'), E' the longest
  return true;
}

bool Explorer::take_subtree() {
  for (;;) {
    const auto begun = std::chrono::steady_clock::now();
    const std::optional<SearchPath::Prefix> taken = coordinator_.take();
    result_.statistics.waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (!taken) return false;
    root_ = taken->size();
    is_fresh_ = true;
    path_.start(*taken);
    const std::vector<Event>& events = execution_.events;
    known_ = 0;
    while (known_ < std::min(root_, events.size()) && events[known_].step() == path_[known_].current.step) ++known_;
    if (root_ == 0 || path_.back().switches <= options_.max_context_switches) break;
    ++result_.skipped;
    finish_subtree();
  }
  make_job();
  return true;
}

void Explorer::finish_subtree() { coordinator_.finish(counted()); }

void Explorer::rest() {
  if (path_.size() > root_) {
    coordinator_.hand_over(take_off(path_, root_, path_.size() - 1, known_));
    root_ = path_.size();
    is_fresh_ = true;
  }
  coordinator_.rest(counted());
}

bool Explorer::must_stop() const { return interrupted() || coordinator_.stops(); }

bool Explorer::execute() {
  if (coordinator_.rest_is_due() && !must_stop()) rest();
  if (must_stop() || !coordinator_.count_execution()) return false;
  run_job();
  if (executor_.version() != version_ || (options_.algorithm == Algorithm::Observers && awaited_.add(execution_))) {
    coordinator_.begin_anew(awaited_);
    return false;
  }
  MZ_INVARIANT(options_.algorithm != Algorithm::Optimal || execution_.outcome != Outcome::SleepBlocked,
               "Optimal-DPOR explores no sleep-set-blocked execution");
  if (!account_for(execution_)) return false;
  const auto count = [&](const Execution& found) {
    coordinator_.count_execution();
    return account_for(found);
  };
  if (failed_on_its_own(job_, execution_) && !put_failure_last(executor_, job_, execution_, count)) return false;
  awaited_.mark(execution_);
  return true;
}

void Explorer::run_job() {
  const Stopwatch stopwatch(ticks_.executing);
  if (!submitted_) submitted_ = executor_.submit(job_);
  executor_.collect(*submitted_, execution_);
  submitted_.reset();
}

bool Explorer::account_for(const Execution& execution) {
  return record_outcome(execution, result_.statistics.runs(), result_.statistics, listener_);
}

bool Explorer::plan_reversals() {
  const Stopwatch stopwatch(ticks_.finding);
  estimator_.observe(path_, coordinator_.executions(), result_.statistics);
  const std::size_t known = std::exchange(known_, SIZE_MAX);
  coordinator_.pass_on_answers(
      [this](Ticket first, std::span<const Planned> answers) { finder_.learn(first, answers); });
  const bool found_all =
      finder_.find(execution_, known, [&] { return !must_stop() && listener_.on_progress(result_.statistics); });
  if (executor_.version() != version_) {
    coordinator_.begin_anew(awaited_);
    return false;
  }
  // A part of the execution no longer does what it did.
  if (finder_.diverged()) account_for(*finder_.diverged());
  return found_all;
}

Planned Explorer::plan(Reversal& v) {
  const Stopwatch stopwatch(ticks_.planning);
  if (const std::optional<Planned> known = redundant(v)) return *known;
  if (v.at >= root_) return insert(v);
  return coordinator_.insert(v);
}

std::optional<Planned> Explorer::redundant(Reversal& v) {
  switch (options_.algorithm) {
    case Algorithm::Source: return redundant_for_source(path_, v);
    case Algorithm::Optimal: return redundant_for_optimal(path_, v);
    case Algorithm::Observers: return redundant_for_observers(path_, v);
  }
  return Planned::Open;
}

Planned Explorer::insert(Reversal& v) {
  WakeupTrees::Index& planned = path_[v.at].planned;
  switch (options_.algorithm) {
    case Algorithm::Source: return path_.trees.insert_initial(planned, v.sequence, options_.initial);
    case Algorithm::Optimal: return path_.trees.insert(planned, v.sequence);
    case Algorithm::Observers: return path_.trees.insert_observed(planned, v.sequence, path_.messages());
  }
  return Planned::Open;
}

/// What the job is to be after the path has changed.
void Explorer::make_job() {
  job_.prefix.resize(std::min(known_, job_.prefix.size()));
  for (std::size_t i = job_.prefix.size(); i < path_.size(); ++i) job_.prefix.push_back(path_[i].current.step);
  job_.sleep.clear();
  if (!path_.empty() && options_.algorithm != Algorithm::Observers)
    for (const LabelledStep& q : path_.sleep(path_.size() - 1))
      if (q.step.process != path_.back().current.step.process &&
          !dependent(q.operation, path_.back().current.operation))
        job_.sleep.push_back(q);
}

/// All that will be planned after prefixes of this length or longer has been planned: if there is something, the system
/// can run while the rest of the last execution is looked at.
void Explorer::submit_next(std::size_t length) {
  if (submitted_ || !backtrack(length)) return;
  submitted_ = executor_.submit(job_);
}

void Explorer::extend_path() {
  const std::vector<Event>& events = execution_.events;
  while (path_.size() > events.size()) path_.pop();  // a step that was planned turned out to fail
  for (std::size_t i = path_.size(); i < events.size(); ++i) {
    path_.push({events[i].step(), events[i].operation});
    job_.prefix.push_back(events[i].step());
  }
  if (execution_.fatal() && !path_.empty()) path_.back().current.operation.flags |= kFatal;
  if (std::exchange(is_fresh_, false) && root_ > 0)
    coordinator_.mark_executed(std::min(root_, path_.size()), execution_.fatal() && path_.size() <= root_);
}

void Explorer::hand_over() {
  if (!coordinator_.is_short_of_work() && !options_.always_hands_over) return;
  std::size_t length = root_;
  while (length < path_.size() && path_[length].planned == WakeupTrees::kNoNode) ++length;
  if (length >= path_.size()) return;
  coordinator_.hand_over(take_off(path_, root_, length, path_.size()));
  root_ = length + 1;
}

bool Explorer::backtrack(std::size_t length) {
  length = std::max(length, root_);
  for (;;) {
    while (path_.size() > length && path_.back().planned == WakeupTrees::kNoNode) path_.pop();
    if (path_.size() <= length) return false;
    known_ = std::min(known_, path_.size() - 1);
    if (follow_first_planned()) break;
    ++result_.skipped;
  }
  make_job();
  return true;
}

/// Explore(E.p, subtree(wut(E), p)). False where that has too many context switches; then p is done all the same.
bool Explorer::follow_first_planned() {
  WakeupTrees::Node next = path_.trees.take_first(path_.back().planned);
  path_.replace(next.step);  // add the current step to done(E)
  while (next.child != WakeupTrees::kNoNode) {
    WakeupTrees::Index children = next.child;
    next = path_.trees.take_first(children);
    path_.push(next.step, children);
  }
  MZ_INVARIANT(options_.algorithm != Algorithm::Observers || !path_.redundant(),
               "no leaf of a wakeup tree is redundant (Def. 4 of Optimal DPOR with Observers)");
  return path_.back().switches <= options_.max_context_switches;
}

}  // namespace mazurka::dpor

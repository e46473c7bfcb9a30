#include "dpor/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/account.hpp"
#include "core/failure.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "core/stopwatch.hpp"

namespace mazurka::dpor {
namespace {

/// Of the events of a batch, so that its executions do not fill the memory.
constexpr std::size_t kMostEvents = 1U << 15;

}  // namespace

Explorer::Explorer(Executor& executor, Search& search, std::uint32_t number)
    : executor_(executor),
      search_(search),
      options_(search.options),
      tree_(search.tree),
      number_(number),
      version_(executor.version()),
      awaited_(search.awaited),
      finder_(executor, options_.algorithm == Algorithm::Observers ? Trace::Stores::Observed : Trace::Stores::Ordered,
              [this](Reversal& v) { return plan(v); }),
      job_path_{SearchTree::kRoot},
      path_{SearchTree::kRoot},
      random_(options_.shuffle) {
  job_.learns = true;
  job_.max_steps = options_.max_steps;
  job_.bound = options_.bound;
  search.explorers[number] = this;
}

std::unique_lock<std::mutex> Explorer::guard() const {
  return search_.explorers.size() == 1 ? std::unique_lock<std::mutex>() : std::unique_lock(search_.mutex);
}

void Explorer::run(Listener& listener) {
  const TickScale scale;
  if (number_ == 0) {
    const auto lock = guard();
    submit(SearchTree::kRoot, 0);
  }
  while (begin_batch()) {
    const Begun begun = take_next();
    if (!execute(begun, listener)) break;  // E, on to its end
    follow(begun);                         // Explore(E.p) for each of its steps
    if (!plan_reversals(listener)) break;  // for each race of E: insert v into wut(E')
    leave(begun.leaf);
  }
  search_.stops = true;
  search_.changed.notify_all();
  abandon_begun();
  result_.races = finder_.races();
  result_.probes = finder_.probes();
  result_.seconds.executor = scale.seconds(ticks_.executing);
  result_.seconds.races = scale.seconds(ticks_.finding - ticks_.planning - finder_.probe_ticks());
  result_.seconds.probes = scale.seconds(finder_.probe_ticks());
  result_.seconds.insertion = scale.seconds(ticks_.planning);
}

/// The order in which executions are looked at makes a difference to how many executions of Source-DPOR are blocked:
/// there it is that of the paper, the longest prefix first. What the next one needs is begun before its turn all the
/// same, since that changes nothing: a step that is planned counts as much as one that was begun.
bool Explorer::lacks_next() {
  if (begun_.empty()) return true;
  if (options_.algorithm != Algorithm::Source || search_.explorers.size() > 1 || !tree_.has_waiting()) return false;
  const std::size_t deepest = tree_.deepest_waiting();
  return std::all_of(begun_.begin(), begun_.end(), [&](const Begun& b) { return b.from < deepest; });
}

Explorer::Begun Explorer::take_next() {
  auto next = begun_.begin();
  if (options_.shuffle != 0) {
    next += static_cast<std::ptrdiff_t>(random_.below(begun_.size()));
  } else if (options_.algorithm == Algorithm::Source) {
    next =
        std::max_element(begun_.begin(), begun_.end(), [](const Begun& a, const Begun& b) { return a.from < b.from; });
  }
  const Begun begun = *next;
  begun_.erase(next);
  return begun;
}

std::size_t Explorer::batch_size() const {
  const std::size_t length = std::max<std::size_t>(execution_.events.size(), 1);
  return std::clamp<std::size_t>(kMostEvents / length, 1, batch_);
}

bool Explorer::begin_batch() {
  auto lock = guard();
  for (;;) {
    if (search_.stops || interrupted()) return false;
    if (lacks_next()) {
      do {
        if (!begin_next()) break;
      } while (begun_.size() < batch_size());
      batch_ = std::min(batch_ * 2, options_.batch);
    }
    if (!begun_.empty()) return search_.executions < options_.max_executions;
    if (++search_.idle == search_.explorers.size()) {
      search_.finished = true;
      return false;
    }
    constexpr auto kNap = std::chrono::milliseconds(20);  // between looks at whether the user interrupts
    search_.changed.wait_for(lock, kNap);
    if (search_.finished) return false;
    --search_.idle;
  }
}

bool Explorer::begin_next() {
  for (;;) {
    const Index node = tree_.next_waiting(number_, begun_.empty());
    if (node == SearchTree::kNone) return false;
    const Index leaf = tree_.begin_planned(node);
    MZ_INVARIANT(options_.algorithm != Algorithm::Observers || tree_[leaf].sleep.empty(),
                 "no leaf of a wakeup tree is redundant (Def. 4 of Optimal DPOR with Observers)");
    if (tree_[leaf].switches <= options_.max_context_switches) {
      submit(leaf, tree_[node].depth);
      return true;
    }
    ++result_.skipped;  // it is done all the same
    tree_.clean_up(leaf);
    forget_removed();
  }
}

void Explorer::submit(Index leaf, std::uint32_t from) {
  const std::size_t shared = tree_.go_to(leaf, job_path_);
  job_.prefix.resize(std::min(shared, job_.prefix.size()));
  for (std::size_t i = job_.prefix.size() + 1; i < job_path_.size(); ++i)
    job_.prefix.push_back(tree_[job_path_[i]].step.step);
  job_.sleep = tree_[leaf].sleep;  // nothing was begun there yet
  tree_.keep(leaf);
  begun_.push_back({leaf, from, executor_.submit(job_)});
}

bool Explorer::execute(const Begun& begun, Listener& listener) {
  {
    const Stopwatch stopwatch(ticks_.executing);
    executor_.collect(begun.handle, execution_);
  }
  if (executor_.version() != version_ || (options_.algorithm == Algorithm::Observers && awaited_.add(execution_))) {
    const auto lock = guard();
    search_.begins_anew = true;
    search_.awaited.add(awaited_);
    return false;
  }
  MZ_INVARIANT(options_.algorithm != Algorithm::Optimal || execution_.outcome != Outcome::SleepBlocked,
               "Optimal-DPOR explores no sleep-set-blocked execution");
  const auto count = [&](const Execution& found) { return account_for(found, listener); };
  if (!count(execution_)) return false;
  if (execution_.fatal()) {
    const Job job = job_of(begun.leaf);
    if (failed_on_its_own(job, execution_) && !put_failure_last(executor_, job, execution_, count)) return false;
  }
  awaited_.mark(execution_);
  return true;
}

/// What it was: others may have been submitted after it.
Job Explorer::job_of(Index leaf) const {
  const auto lock = guard();
  Job job = job_;
  job.prefix.clear();
  for (Index node = leaf; node != SearchTree::kRoot; node = tree_[node].parent)
    job.prefix.push_back(tree_[node].step.step);
  std::reverse(job.prefix.begin(), job.prefix.end());
  job.sleep.assign(tree_[leaf].sleep.begin(), tree_[leaf].sleep.begin() + tree_[leaf].inherited);
  return job;
}

bool Explorer::account_for(const Execution& execution, Listener& listener) {
  return account(execution, search_.executions++, result_.statistics, listener);
}

void Explorer::follow(const Begun& begun) {
  const auto lock = guard();
  const std::vector<Event>& events = execution_.events;
  if (options_.algorithm == Algorithm::Observers) tree_.mark_seen(begun.leaf, begun.from);
  Index node = begun.leaf;
  while (tree_[node].depth > events.size()) node = tree_[node].parent;  // a step that was planned turned out to fail
  known_ = tree_.go_to(node, path_);
  for (std::size_t i = tree_[node].depth; i < events.size(); ++i) {
    node = tree_.begin(node, {events[i].step(), events[i].operation});
    path_.push_back(node);
  }
  tree_.keep(node);
  if (execution_.fatal()) tree_.mark_fatal(node);
  estimator_.observe(tree_, path_, result_.statistics);
}

bool Explorer::plan_reversals(Listener& listener) {
  const Stopwatch stopwatch(ticks_.finding);
  const auto goes_on = [&] { return !interrupted() && !search_.stops && listener.on_progress(result_.statistics); };
  const bool found_all = finder_.find(execution_, known_, goes_on);
  if (executor_.version() != version_) {
    const auto lock = guard();
    search_.begins_anew = true;
    return false;
  }
  // A part of the execution no longer does what it did.
  if (finder_.diverged()) account_for(*finder_.diverged(), listener);
  return found_all;
}

Planned Explorer::plan(Reversal& v) {
  const Stopwatch stopwatch(ticks_.planning);
  const auto lock = guard();
  tree_.plan_for(number_);
  const Index node = path_[v.at];
  const std::size_t younger = v.at + 1 < path_.size() ? tree_[path_[v.at + 1]].place + 1 : tree_[node].sleep.size();
  const auto planned = [&] {
    switch (options_.algorithm) {
      case Algorithm::Source: return plan_source(tree_, node, v, options_.initial);
      case Algorithm::Optimal: return plan_optimal(tree_, node, younger, v);
      case Algorithm::Observers: return plan_observers(tree_, node, younger, v);
    }
    return Planned::Open;
  }();
  if (search_.idle > 0 && tree_.has_waiting()) search_.changed.notify_one();
  return planned;
}

/// What was begun here is done, but for what is planned or under way below.
void Explorer::leave(Index leaf) {
  const auto lock = guard();
  const Index last = path_.back();
  tree_.let_go(last);
  tree_.clean_up(last);
  tree_.let_go(leaf);
  tree_.clean_up(leaf);
  forget_removed();
}

void Explorer::forget_removed() {
  tree_.take_removed([this](Index node) {
    const std::size_t depth = tree_[node].depth;
    for (Explorer* const explorer : search_.explorers)
      for (std::vector<Index>* path : {&explorer->path_, &explorer->job_path_})
        if (depth < path->size() && (*path)[depth] == node) path->resize(depth);
  });
}

void Explorer::abandon_begun() {
  for (const Begun& begun : begun_) executor_.abandon(begun.handle);
  begun_.clear();
}

}  // namespace mazurka::dpor

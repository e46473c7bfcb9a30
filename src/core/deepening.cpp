#include "core/deepening.hpp"

#include <algorithm>

#include "core/interrupt.hpp"
#include "core/record_outcome.hpp"

namespace mazurka {
namespace {

/// Grows slowly while every further step multiplies the executions, and fast once executions are long.
std::uint32_t deeper(std::uint32_t steps) { return steps < 64 ? steps + steps / 2 : 4 * steps; }

}  // namespace

Deepening::Deepening(const Limits& limits, Listener& listener) : limits_(limits), listener_(listener) {
  begin(kFirstSteps, kFirstThreads);
}

void Deepening::begin(std::uint32_t steps, std::uint32_t threads) {
  depth_.bound.steps =
      steps < limits_.steps ? steps : Bound::kUnlimited;  // the limit on the whole execution applies first
  depth_.bound.threads = std::min(threads, limits_.threads);
  gives_up_ = begins_anew_ = stopped_otherwise_ = false;
}

void Deepening::resume(const State& state) {
  depth_ = state.depth;
  is_first_ = state.is_first;
  stopped_otherwise_ = state.stopped_otherwise;
}

bool Deepening::can_be_lifted(const Statistics& statistics) const {
  return statistics.stopped_by_steps != 0 ||
         (statistics.stopped_by_threads != 0 && depth_.bound.threads < limits_.threads);
}

bool Deepening::leaves_first(const Statistics& statistics) const {
  return can_be_lifted(statistics) || statistics.stopped_by_length != 0 || statistics.stopped_by_table != 0;
}

bool Deepening::go_deeper(const Statistics& statistics, bool exhaustive) {
  ++depth_.explorations;
  depth_.runs += statistics.runs();
  depth_.errors = std::max(depth_.errors, statistics.errors);
  if (over_ || interrupted() || depth_.runs >= limits_.executions) return false;
  if (begins_anew_) {
    is_first_ = true;
    depth_.deepened = false;
    depth_.explored = {0, 0};
    depth_.errors = 0;
    begin(kFirstSteps, kFirstThreads);
  } else if (is_first_) {
    if (!gives_up_) return false;
    is_first_ = false;
    depth_.deepened = true;
    begin(kShallow, kShallow + 1);
  } else {
    if (exhaustive && !stopped_otherwise_ && depth_.bound.steps != Bound::kUnlimited)
      depth_.explored = {depth_.bound.steps,
                         statistics.stopped_by_threads == 0 ? Bound::kUnlimited : depth_.bound.threads};
    if (!can_be_lifted(statistics)) return false;
    const std::uint32_t steps =
        deeper(depth_.bound.steps == Bound::kUnlimited ? depth_.bound.threads : depth_.bound.steps);
    begin(steps, steps + 1);
  }
  listener_.on_bound(depth_.bound);
  return true;
}

bool Deepening::run_to_the_end(Executor& executor, Statistics& statistics) {
  if (limits_.steps <= kFirstSteps) return true;  // the first exploration covered this already
  Job job;
  job.max_steps = std::min<std::uint64_t>(limits_.steps, kFar);
  job.bound.threads = std::min(kFirstThreads, limits_.threads);
  job.learns = true;
  const std::size_t version = executor.version();
  Execution execution;
  executor.run(job, execution);
  if (executor.version() != version) {
    on_new_beginning();  // the next exploration ends at once, and the series restarts with the first
    return true;
  }
  Statistics one;
  const bool goes_on = record_outcome(execution, 0, one, *this) && !interrupted();
  depth_.runs += one.runs();
  depth_.errors = std::max(depth_.errors, one.errors);
  stopped_otherwise_ = false;
  if (goes_on && depth_.runs < limits_.executions) {
    listener_.on_bound(depth_.bound);
    return true;
  }
  statistics = one;
  return false;
}

bool Deepening::on_error(const Execution& execution, std::uint64_t number) {
  const bool goes_on = listener_.on_error(execution, number);
  if (!goes_on || execution.outcome == Outcome::Diverged || execution.outcome == Outcome::Unsupported) over_ = true;
  return goes_on;
}

void Deepening::on_cut(const Execution& execution) {
  constexpr std::uint32_t kByBound = kStoppedBySteps | kStoppedByThreads;
  stopped_otherwise_ |= execution.stopped_by == 0 || (execution.stopped_by & ~kByBound) != 0;
  listener_.on_cut(execution);
}

void Deepening::on_new_beginning() {
  listener_.on_new_beginning();
  begins_anew_ = !is_first_;
}

bool Deepening::on_progress(const Statistics& statistics) {
  if (!listener_.on_progress(statistics)) {
    over_ = true;
    return false;
  }
  gives_up_ |= is_first_ && leaves_first(statistics);
  return !gives_up_ && !begins_anew_;
}

}  // namespace mazurka

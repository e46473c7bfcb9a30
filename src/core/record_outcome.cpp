#include "core/record_outcome.hpp"

#include <algorithm>

namespace mazurka {
namespace {

void count_stops(std::uint32_t stopped_by, Statistics& statistics) {
  const auto count = [&](std::uint32_t bit, std::uint64_t& counter) { counter += (stopped_by & bit) != 0 ? 1 : 0; };
  count(kStoppedByLength, statistics.stopped_by_length);
  count(kStoppedBySteps, statistics.stopped_by_steps);
  count(kStoppedByThreads, statistics.stopped_by_threads);
  count(kStoppedByTable, statistics.stopped_by_table);
}

}  // namespace

bool record_outcome(const Execution& execution, std::uint64_t number, Statistics& statistics, Listener& listener) {
  listener.on_execution(execution);
  statistics.events += execution.events.size();
  statistics.max_depth = std::max<std::uint64_t>(statistics.max_depth, execution.events.size());
  if (execution.stopped_by != 0) count_stops(execution.stopped_by, statistics);
  if (execution.stopped_by != 0 || execution.outcome == Outcome::Limit) listener.on_cut(execution);
  bool go_on = true;
  switch (execution.outcome) {
    case Outcome::Finished: ++statistics.executions; break;
    case Outcome::Deadlock:
    case Outcome::Error:
      ++statistics.executions;
      if (execution.outcome == Outcome::Deadlock && !listener.deadlocks_fail()) break;
      ++statistics.errors;
      go_on = listener.on_error(execution, number);
      break;
    case Outcome::SleepBlocked: ++statistics.blocked; break;
    case Outcome::Cut: ++statistics.cut; break;
    case Outcome::Stopped:
    case Outcome::Limit:
      ++statistics.cut;
      ++statistics.limited;
      if (execution.stopped_by == 0) ++statistics.stopped_by_loop;
      break;
    case Outcome::Diverged:
    case Outcome::Unsupported:
      listener.on_error(execution, number);
      go_on = false;
      break;
  }
  return listener.on_progress(statistics) && go_on;
}

}  // namespace mazurka

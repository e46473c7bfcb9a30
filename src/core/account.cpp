#include "core/account.hpp"

#include <algorithm>

namespace mazurka {

bool account(const Execution& execution, std::uint64_t number, Statistics& statistics, Listener& listener) {
  statistics.events += execution.events.size();
  statistics.max_depth = std::max<std::uint64_t>(statistics.max_depth, execution.events.size());
  bool go_on = true;
  switch (execution.outcome) {
    case Outcome::Finished: ++statistics.executions; break;
    case Outcome::Deadlock:
    case Outcome::Error:
      ++statistics.executions;
      ++statistics.errors;
      go_on = listener.on_error(execution, number);
      break;
    case Outcome::SleepBlocked: ++statistics.blocked; break;
    case Outcome::Cut: ++statistics.cut; break;
    case Outcome::Stopped:
    case Outcome::Limit:
      ++statistics.cut;
      ++statistics.limited;
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

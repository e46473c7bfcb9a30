#include "walk/stateful_naive.hpp"

#include <optional>
#include <vector>

#include "core/account.hpp"
#include "core/interrupt.hpp"

namespace mazurka::walk {
namespace {

/// The states along the prefix of the search.
class Path {
 public:
  /// The state after an execution that follows the last one up to its last event; none where that failed in its midst.
  std::optional<StateHash> enter(const Execution& execution) {
    const std::size_t length = execution.events.size();
    states_.resize(length == 0 ? 0 : length - 1);
    StateHash state = states_.empty() ? StateHash{} : states_.back();
    if (length > 0) {
      const StateHash* const delta = execution.delta(length - 1);
      if (delta == nullptr) return std::nullopt;
      state ^= *delta;
      states_.push_back(state);
    }
    return state;
  }

 private:
  std::vector<StateHash> states_;  // after the first, the second, … event
};

}  // namespace

StatefulResult explore_states(Executor& executor, const NaiveOptions& options, Listener& listener, StateSet* found) {
  StatefulResult result;
  StateSet own;
  StateSet& states = found != nullptr ? *found : own;
  Path path;
  std::uint64_t number = 0;
  bool stopped = false;
  NaiveSearch search(executor, options);
  search.ask_for_deltas();
  // Whether the execution ends in a state that was not known.
  const auto is_new = [&](const StateHash& state) {
    if (states.insert(state).second) return true;
    ++result.statistics.cut;
    ++result.statistics.by_cutoff;
    ++result.statistics.cutoffs;
    return false;
  };
  const bool finished = search.run(
      [&](const Execution& execution) {
        ++result.transitions;
        const std::optional<StateHash> state = path.enter(execution);
        if (execution.outcome != Outcome::Error && state && !is_new(*state)) return true;
        return account(execution, number++, result.statistics, listener) && number < options.max_executions &&
               !interrupted();
      },
      [&](const Execution& execution) {
        ++result.transitions;
        stopped = stopped || !listener.on_progress(result.statistics);
        return is_new(path.enter(execution).value()) && !stopped;
      });
  result.complete = finished && !stopped && !result.statistics.is_cut();
  result.states = states.size();
  if (result.transitions > 0) --result.transitions;  // none leads to the initial state
  return result;
}

}  // namespace mazurka::walk

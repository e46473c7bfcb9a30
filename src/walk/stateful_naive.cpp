#include "walk/stateful_naive.hpp"

#include <optional>
#include <vector>

#include "core/hangs.hpp"
#include "core/interrupt.hpp"
#include "core/record_outcome.hpp"

namespace mazurka::walk {
namespace {

/// The states along the current path of the search.
class Path {
 public:
  /// The state after the last execution is new. If no step leads from it to another new state, it may be a hang. Every
  /// hang has such a state: when the search reaches the last state of the loops, it has seen all the others.
  void note_new(const Execution& execution) {
    if (nodes_.size() > 1) nodes_[nodes_.size() - 2].is_last = false;
    nodes_.back().is_last = true;
    nodes_.back().execution = execution;
  }
  /// Calls `look(execution, state)` for all such states that the search has left.
  template <typename Look>
  bool leave(std::size_t length, Look&& look) {
    for (; nodes_.size() > length; nodes_.pop_back())
      if (nodes_.back().is_last && !look(nodes_.back().execution, nodes_.back().state)) return false;
    return true;
  }
  /// The state after an execution that extends the last one by one event; none if that event failed halfway.
  std::optional<StateHash> enter(const Execution& execution) {
    const std::size_t length = execution.events.size();
    StateHash state = nodes_.empty() ? StateHash{} : nodes_.back().state;
    if (length > 0) {
      const StateHash* const delta = execution.delta(length - 1);
      if (delta == nullptr) return std::nullopt;
      state ^= *delta;
    }
    nodes_.push_back({state, false, {}});
    return state;
  }

 private:
  struct Node {
    StateHash state;
    bool is_last = false;  ///< new, and no step from it led to a new state so far
    Execution execution;   ///< if so
  };
  std::vector<Node> nodes_;  // the initial state, the state after the first event, …
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
  // Whether the execution ends in a new state.
  const auto is_new = [&](const StateHash& state) {
    if (states.insert(state).second) return true;
    ++result.statistics.cut;
    ++result.statistics.by_cutoff;
    ++result.statistics.cutoffs;
    return false;
  };
  Hangs hangs(executor);
  Execution hang;
  const auto look = [&](const Execution& execution, const StateHash& state) {
    return !listener.deadlocks_fail() || !hangs.look(execution, state, hang) ||
           record_outcome(hang, number++, result.statistics, listener);
  };
  const bool finished = search.run(
      [&](const Execution& execution) {
        ++result.transitions;
        if (!path.leave(execution.events.size(), look)) return false;
        const std::optional<StateHash> state = path.enter(execution);
        if (execution.outcome != Outcome::Error && state && !is_new(*state)) return true;
        return record_outcome(execution, number++, result.statistics, listener) && number < options.max_executions &&
               !interrupted();
      },
      [&](const Execution& execution) {
        ++result.transitions;
        stopped = stopped || !path.leave(execution.events.size(), look) || !listener.on_progress(result.statistics);
        if (stopped) search.stop();
        if (!is_new(path.enter(execution).value())) return false;
        path.note_new(execution);
        return !stopped;
      });
  stopped = stopped || (finished && !path.leave(0, look));
  result.complete = finished && !stopped && !result.statistics.is_cut();
  result.states = states.size();
  if (result.transitions > 0) --result.transitions;  // no transition leads to the initial state
  return result;
}

}  // namespace mazurka::walk

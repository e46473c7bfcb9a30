// The states of all configurations inside those that an unfolding with cutoffs explores, and how these end.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dependence.hpp"
#include "core/execution.hpp"
#include "core/listener.hpp"
#include "core/state_hash.hpp"

namespace mazurka::testing {

using States = std::unordered_set<StateHash, HashOfStateHash>;

class StateRecorder final : public Listener {
 public:
  static constexpr std::size_t kMost = 200'000;  ///< of configurations in one execution

  bool on_error(const Execution& execution, std::uint64_t) override {
    deadlocks += execution.outcome == Outcome::Deadlock ? 1 : 0;
    failures += execution.outcome == Outcome::Deadlock ? 0 : 1;
    if (execution.outcome == Outcome::Unsupported || execution.outcome == Outcome::Diverged) refused = true;
    return true;
  }
  bool on_progress(const Statistics&) override { return !too_many; }
  void on_new_beginning() override {
    states.clear();
    ends.clear();
    outputs.clear();
    deadlocks = failures = 0;
    refused = too_many = false;
  }
  void on_execution(const Execution& execution) override {
    const std::vector<Event>& events = execution.events;
    if (execution.outcome == Outcome::Finished) outputs.insert(execution.output);
    if (events.size() > 64) {
      too_many = true;
      return;
    }
    std::vector<std::uint64_t> causes(events.size(), 0);
    for (std::size_t i = 0; i < events.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (events[j].process == events[i].process || dependent(events[j].operation, events[i].operation))
          causes[i] |= 1ULL << j;
    const std::uint64_t all = events.size() == 64 ? ~0ULL : (1ULL << events.size()) - 1;
    std::unordered_set<std::uint64_t> seen{0};
    std::vector<std::pair<std::uint64_t, StateHash>> todo{{0, {}}};
    while (!todo.empty() && !too_many) {
      const auto [configuration, state] = todo.back();
      todo.pop_back();
      states.insert(state);
      if (configuration == all) ends.insert(state);
      for (std::size_t i = 0; i < events.size(); ++i) {
        const std::uint64_t next = configuration | 1ULL << i;
        const StateHash* const delta = execution.delta(i);
        if (delta == nullptr || next == configuration || (causes[i] & ~configuration) != 0 || !seen.insert(next).second)
          continue;
        StateHash after = state;
        after ^= *delta;
        todo.emplace_back(next, after);
      }
      too_many = seen.size() > kMost;
    }
  }

  States states;
  States ends;
  std::set<std::string> outputs;  ///< of executions that end
  std::uint64_t deadlocks = 0;
  std::uint64_t failures = 0;
  bool refused = false;
  bool too_many = false;
};

}  // namespace mazurka::testing

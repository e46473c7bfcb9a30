// Stateful depth-first search without any reduction: every step of every state, each state once. States are told apart
// by the hashes that cutoffs use (core/state_hash.hpp), so this is the yardstick for those: the states that it finds
// are those that the configurations of an unfolding with cutoffs must have.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/state_hash.hpp"
#include "core/statistics.hpp"
#include "walk/naive.hpp"

namespace mazurka::walk {

using StateSet = std::unordered_set<StateHash, HashOfStateHash>;

struct StatefulResult {
  Statistics statistics;  ///< an execution is a way to a state in which nothing can move, or to a failure
  bool complete = false;  ///< every state was seen, and no execution was cut by a limit
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
};

/// `found`, if it is given, gets all states, as changes from the initial one.
StatefulResult explore_states(Executor& executor, const NaiveOptions& options, Listener& listener,
                              StateSet* found = nullptr);

}  // namespace mazurka::walk

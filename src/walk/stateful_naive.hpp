// Stateful depth-first search without reduction: every transition of every state, each state once. States are compared
// by the same hashes as in cutoffs (core/state_hash.hpp), which makes this the yardstick for cutoffs: the
// configurations of an unfolding with cutoffs must lead to exactly these states.
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
  Statistics statistics;  ///< an execution is a path to a state in which nothing is enabled, or to a failure
  bool complete = false;  ///< every state was visited, and no limit cut an execution
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
};

/// If `found` is not null, it gets all states, as differences from the initial state.
StatefulResult explore_states(Executor& executor, const NaiveOptions& options, Listener& listener,
                              StateSet* found = nullptr);

}  // namespace mazurka::walk

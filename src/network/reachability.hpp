// All reachable states of a network, breadth first, without reduction: the reference for the stateful reductions and
// for complete prefixes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "network/product.hpp"
#include "network/recent_states.hpp"
#include "network/state_store.hpp"

namespace mazurka::network {

struct ReachabilityLimits {
  std::uint64_t max_states = UINT64_MAX;
};

/// Progress of a running search.
struct ReachabilityProgress {
  std::uint64_t states;
  std::uint64_t expanded;
  std::uint64_t transitions;
};

/// The first action that leads from one state to another. \pre There is one.
ActionId action_between(const Product& product, const std::uint64_t* from, const std::uint64_t* to);

class Reachability {
 public:
  Reachability(const Product& product, ReachabilityLimits limits)
      : product_(&product), limits_(limits), states_(product.layout().words()), recent_(product.initial()) {}

  /// Runs to the end, to a limit, or until interrupted; calls `progress` every few thousand states.
  void run(const std::function<void(const ReachabilityProgress&)>& progress = {});

  bool complete() const { return complete_; }
  std::uint64_t states() const { return states_.size(); }
  std::uint64_t transitions() const { return transitions_; }
  /// States without a successor in which some client still has an edge, in breadth-first order.
  const std::vector<StateId>& deadlocks() const { return deadlocks_; }
  const std::uint64_t* state(StateId id) const { return states_[id]; }
  std::size_t bytes() const;

  /// A shortest run from the initial state to `id`.
  std::vector<ActionId> run_to(StateId id) const;

 private:
  StateId expand(StateId first);

  const Product* product_;
  ReachabilityLimits limits_;
  StateStore states_;
  std::deque<StateId> parents_;  // grows without copying
  std::vector<StateId> deadlocks_;
  std::uint64_t transitions_ = 0;
  bool complete_ = false;
  // Successors of the states being expanded; kept to save allocations.
  std::vector<std::uint64_t> batch_;
  std::vector<std::uint64_t> hashes_;
  std::vector<StateId> sources_;
  RecentStates recent_;
};

}  // namespace mazurka::network

#include "network/reachability.hpp"

#include <algorithm>
#include <cstring>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::network {

void Reachability::run(const std::function<void(const ReachabilityProgress&)>& progress) {
  constexpr StateId kPollInterval = 1U << 12;
  states_.insert(product_->initial().data());
  parents_.push_back(0);
  for (StateId id = 0; id < states_.size(); ++id) {
    if (id % kPollInterval == 0) {
      if (interrupted()) return;
      if (progress) progress({states_.size(), id, transitions_});
    }
    expand(id);
    if (states_.size() > limits_.max_states) return;
  }
  complete_ = true;
}

void Reachability::expand(StateId id) {
  const std::uint32_t words = product_->layout().words();
  const std::uint64_t* state = states_[id];  // blocks do not move
  batch_.clear();
  hashes_.clear();
  product_->for_each_enabled(state, [&](ComponentId client, const Offer& offer, LocationId server_target) {
    const std::size_t begin = batch_.size();
    batch_.insert(batch_.end(), state, state + words);
    std::uint64_t* successor = batch_.data() + begin;
    product_->layout().set(successor, client, offer.client_target);
    product_->layout().set(successor, offer.server, server_target);
    hashes_.push_back(states_.hash(successor));
    states_.prefetch(hashes_.back());
  });
  transitions_ += hashes_.size();
  if (hashes_.empty() && !product_->finished(state)) deadlocks_.push_back(id);
  for (std::size_t i = 0; i < hashes_.size(); ++i)
    if (states_.insert(batch_.data() + i * words, hashes_[i]).fresh) parents_.push_back(id);
}

std::size_t Reachability::bytes() const {
  return states_.bytes() + parents_.capacity() * sizeof(StateId) + deadlocks_.capacity() * sizeof(StateId);
}

std::vector<ActionId> Reachability::run_to(StateId id) const {
  std::vector<ActionId> run;
  for (; id != 0; id = parents_[id]) {
    std::vector<std::uint64_t> state(states_[parents_[id]], states_[parents_[id]] + product_->layout().words());
    const std::size_t before = run.size();
    product_->for_each_enabled(states_[parents_[id]], [&](ComponentId, const Offer& offer, LocationId) {
      if (run.size() != before) return;
      auto successor = state;
      product_->take(successor.data(), offer.action);
      if (std::equal(successor.begin(), successor.end(), states_[id])) run.push_back(offer.action);
    });
    MZ_INVARIANT(run.size() == before + 1, "a state is a successor of its breadth-first parent");
  }
  std::reverse(run.begin(), run.end());
  return run;
}

}  // namespace mazurka::network

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
  for (StateId next = 0, polled = 0; next < states_.size();) {
    if (next >= polled) {
      polled = next + kPollInterval;
      if (interrupted()) return;
      if (progress) progress({states_.size(), next, transitions_});
    }
    next = expand(next);
    if (states_.size() > limits_.max_states) return;
  }
  complete_ = true;
}

/// Expands states from `first` on until there is a batch of successors; returns the first state not expanded. A batch
/// lets the memory accesses of its insertions overlap: slots are fetched, then the states they name, then compared.
StateId Reachability::expand(StateId first) {
  constexpr std::size_t kBatch = 64;
  const std::uint32_t words = product_->layout().words();
  const StateId known = states_.size();
  StateId id = first;
  hashes_.clear();
  sources_.clear();
  for (; id < known && hashes_.size() < kBatch; ++id) {
    const std::uint64_t* state = states_[id];  // blocks do not move
    const std::size_t before = hashes_.size();
    product_->for_each_enabled(state, [&](ComponentId client, const Offer& offer, LocationId server_target) {
      const std::size_t begin = hashes_.size() * words;
      if (batch_.size() < begin + words) batch_.resize(2 * (begin + words));
      std::uint64_t* successor = batch_.data() + begin;
      for (std::uint32_t w = 0; w < words; ++w) successor[w] = state[w];
      product_->layout().set(successor, client, offer.client_target);
      product_->layout().set(successor, offer.server, server_target);
      hashes_.push_back(states_.hash(successor));
      sources_.push_back(id);
      states_.prefetch(hashes_.back());
    });
    if (hashes_.size() == before && !product_->finished(state)) deadlocks_.push_back(id);
  }
  transitions_ += hashes_.size();
  for (std::uint64_t hash : hashes_) states_.prefetch_state(hash);
  for (std::size_t i = 0; i < hashes_.size(); ++i)
    if (states_.insert(batch_.data() + i * words, hashes_[i]).fresh) parents_.push_back(sources_[i]);
  return id;
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

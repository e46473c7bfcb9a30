#include "network/reachability.hpp"

#include <algorithm>
#include <optional>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::network {

void Reachability::run(const std::function<void(const ReachabilityProgress&)>& progress) {
  constexpr StateId kPollInterval = 1U << 12;
  const std::vector<std::uint64_t> initial = product_->initial();
  states_.insert(initial.data());
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

/// Expands states from `first` on until there is a batch of successors; returns the first state not expanded. In a
/// batch, the memory accesses of the insertions overlap: slots are prefetched, then the states they refer to, then
/// compared.
StateId Reachability::expand(StateId first) {
  constexpr std::size_t kBatch = 256;
  const std::uint32_t words = product_->layout().words();
  const StateId known = states_.size();
  const std::size_t room = kBatch + product_->most_enabled();
  batch_.resize(room * words);
  hashes_.resize(room);
  sources_.resize(room);
  std::size_t size = 0;
  StateId id = first;
  for (; id < known && size < kBatch; ++id) {
    const std::uint64_t* state = states_[id];  // blocks do not move
    const std::size_t before = size;
    product_->for_each_enabled(state, [&](const Transition& transition) {
      std::uint64_t* successor = batch_.data() + size * words;
      for (std::uint32_t w = 0; w < words; ++w) successor[w] = state[w];
      transition.apply(successor);
      hashes_[size] = states_.hash(successor);
      recent_.prefetch(hashes_[size]);
      sources_[size++] = id;
    });
    if (size == before && !product_->finished(state)) deadlocks_.push_back(id);
  }
  transitions_ += size;
  size = recent_.drop(batch_.data(), hashes_.data(), sources_.data(), size);
  for (std::size_t i = 0; i < size; ++i) states_.prefetch(hashes_[i]);
  for (std::size_t i = 0; i < size; ++i) states_.prefetch_state(hashes_[i]);
  for (std::size_t i = 0; i < size; ++i)
    if (states_.insert(batch_.data() + i * words, hashes_[i]).fresh) parents_.push_back(sources_[i]);
  return id;
}

std::size_t Reachability::bytes() const {
  return states_.bytes() + parents_.size() * sizeof(StateId) + deadlocks_.capacity() * sizeof(StateId);
}

ActionId action_between(const Product& product, const std::uint64_t* from, const std::uint64_t* to) {
  const std::uint32_t words = product.layout().words();
  std::optional<ActionId> action;
  product.for_each_enabled(from, [&](const Transition& transition) {
    if (action) return;
    std::vector<std::uint64_t> successor(from, from + words);
    transition.apply(successor.data());
    if (std::equal(successor.begin(), successor.end(), to)) action = transition.action;
  });
  MZ_INVARIANT(action.has_value(), "a state is a successor of its breadth-first parent");
  return *action;
}

std::vector<ActionId> Reachability::run_to(StateId id) const {
  std::vector<ActionId> run;
  for (; id != 0; id = parents_[id]) run.push_back(action_between(*product_, states_[parents_[id]], states_[id]));
  std::reverse(run.begin(), run.end());
  return run;
}

}  // namespace mazurka::network

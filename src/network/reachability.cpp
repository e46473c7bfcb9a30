#include "network/reachability.hpp"

#include <algorithm>
#include <bit>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::network {

void Reachability::run(const std::function<void(const ReachabilityProgress&)>& progress) {
  constexpr StateId kPollInterval = 1U << 12;
  const std::vector<std::uint64_t> initial = product_->initial();
  states_.insert(initial.data());
  parents_.push_back(0);
  // About half of all successors are duplicates of recent ones. A table that fits into the second-level cache finds
  // those. Each of its entries starts as the initial state, which has been seen.
  constexpr std::size_t kRecentBytes = std::size_t{1} << 18;
  const auto bits = std::bit_width(kRecentBytes / (initial.size() * sizeof(std::uint64_t)));
  recent_shift_ = 64 - static_cast<unsigned>(bits);
  recent_.clear();
  for (std::size_t i = 0; i < std::size_t{1} << bits; ++i)
    recent_.insert(recent_.end(), initial.begin(), initial.end());
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
      __builtin_prefetch(recent(hashes_[size]));
      sources_[size++] = id;
    });
    if (size == before && !product_->finished(state)) deadlocks_.push_back(id);
  }
  transitions_ += size;
  size = drop_recent(size);
  for (std::size_t i = 0; i < size; ++i) states_.prefetch(hashes_[i]);
  for (std::size_t i = 0; i < size; ++i) states_.prefetch_state(hashes_[i]);
  for (std::size_t i = 0; i < size; ++i)
    if (states_.insert(batch_.data() + i * words, hashes_[i]).fresh) parents_.push_back(sources_[i]);
  return id;
}

/// Removes recent duplicates from the batch, and returns how many successors are left. Branch-free, since the outcome
/// is unpredictable.
std::size_t Reachability::drop_recent(std::size_t size) {
  const std::uint32_t words = product_->layout().words();
  std::size_t left = 0;
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t* const last = recent(hashes_[i]);
    std::uint64_t different = 0;
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t word = batch_[i * words + w];
      different |= last[w] ^ word;
      last[w] = word;
      batch_[left * words + w] = word;
    }
    hashes_[left] = hashes_[i];
    sources_[left] = sources_[i];
    left += different != 0 ? 1 : 0;
  }
  return left;
}

std::size_t Reachability::bytes() const {
  return states_.bytes() + parents_.size() * sizeof(StateId) + deadlocks_.capacity() * sizeof(StateId);
}

std::vector<ActionId> Reachability::run_to(StateId id) const {
  std::vector<ActionId> run;
  for (; id != 0; id = parents_[id]) {
    std::vector<std::uint64_t> state(states_[parents_[id]], states_[parents_[id]] + product_->layout().words());
    const std::size_t before = run.size();
    product_->for_each_enabled(states_[parents_[id]], [&](const Transition& transition) {
      if (run.size() != before) return;
      auto successor = state;
      transition.apply(successor.data());
      if (std::equal(successor.begin(), successor.end(), states_[id])) run.push_back(transition.action);
    });
    MZ_INVARIANT(run.size() == before + 1, "a state is a successor of its breadth-first parent");
  }
  std::reverse(run.begin(), run.end());
  return run;
}

}  // namespace mazurka::network

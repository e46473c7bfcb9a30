#include "stateful/node_store.hpp"

#include <algorithm>
#include <stdexcept>

namespace mazurka::stateful {

bool NodeStore::within(NodeId n, const Word* sleep) const {
  const Word* own = this->sleep(n);
  return own == nullptr || subset(own, sleep, sleep_words_);
}

NodeId NodeStore::find_subsuming(const std::uint64_t* state, std::uint64_t hash, const Word* sleep) const {
  const StateId id = states_.find(state, hash);
  if (id == network::kNoState) return kNoNode;
  for (NodeId n = first_[id]; n != kNoNode; n = nodes_[n].next)
    if (within(n, sleep)) return n;
  return kNoNode;
}

NodeId NodeStore::add(const std::uint64_t* state, std::uint64_t hash, const Word* sleep) {
  if (nodes_.size() >= kNoNode) throw std::length_error("more than 4,294,967,294 nodes: the limit of one graph");
  const auto id = static_cast<NodeId>(nodes_.size());
  const auto [state_id, fresh] = states_.insert(state, hash);
  if (fresh) first_.push_back(kNoNode);

  std::uint32_t set = 0;
  if (!none({sleep, sleep_words_})) {
    if ((sleep_sets_ >> kBlockBits) == sleep_.size()) {
      sleep_.emplace_back();
      sleep_.back().reserve(std::size_t{kBlockMask + 1} * sleep_words_);
    }
    sleep_.back().insert(sleep_.back().end(), sleep, sleep + sleep_words_);
    set = ++sleep_sets_;
  }

  // Remove from the antichain what the new node subsumes.
  NodeId* link = &first_[state_id];
  while (*link != kNoNode) {
    const Word* other = this->sleep(*link);
    const bool subsumed = other == nullptr ? set == 0 : subset(sleep, other, sleep_words_);
    if (subsumed)
      *link = nodes_[*link].next;
    else
      link = &nodes_[*link].next;
  }
  nodes_.push_back({state_id, set, first_[state_id]});
  first_[state_id] = id;
  return id;
}

std::size_t NodeStore::bytes() const {
  return states_.bytes() + nodes_.capacity() * sizeof(Node) + first_.capacity() * sizeof(NodeId) +
         sleep_.size() * (kBlockMask + 1) * sleep_words_ * sizeof(Word);
}

}  // namespace mazurka::stateful

// The nodes of a reduced graph and the visited set. A node is a state with a sleep set. States are packed in a
// network::StateStore; sleep sets are plain words in an arena, where the empty one takes no space.
//
// A node n subsumes n' if their states are equal and sleep(n) ⊆ sleep(n') (Def. 16). Per state the store keeps the list
// of nodes that no later node subsumes: an antichain of sleep sets. A node that leaves the list stays in the graph.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network/state_store.hpp"
#include "stateful/bits.hpp"

namespace mazurka::stateful {

using network::StateId;
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();

class NodeStore {
 public:
  NodeStore(std::uint32_t state_words, std::uint32_t sleep_words) : states_(state_words), sleep_words_(sleep_words) {}

  std::uint64_t hash(const std::uint64_t* state) const { return states_.hash(state); }

  /// A node of `state` that subsumes (state, sleep), or kNoNode. `hash` is that of the state.
  NodeId find_subsuming(const std::uint64_t* state, std::uint64_t hash, const Word* sleep) const;

  /// Adds a node. \pre It is not subsumed. Throws std::length_error if its number does not fit 32 bits.
  NodeId add(const std::uint64_t* state, std::uint64_t hash, const Word* sleep);

  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  const std::uint64_t* state(NodeId n) const { return states_[nodes_[n].state]; }
  StateId state_id(NodeId n) const { return nodes_[n].state; }
  /// Null for the empty set.
  const Word* sleep(NodeId n) const {
    const std::uint32_t set = nodes_[n].sleep;
    return set == 0 ? nullptr
                    : sleep_[(set - 1) >> kBlockBits].data() + std::size_t{(set - 1) & kBlockMask} * sleep_words_;
  }
  StateId distinct_states() const { return states_.size(); }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kBlockBits = 12;
  static constexpr std::uint32_t kBlockMask = (1U << kBlockBits) - 1;

  struct Node {
    StateId state;
    std::uint32_t sleep;  // number of its set + 1; 0 for the empty set
    NodeId next;          // in the antichain of its state
  };

  bool within(NodeId n, const Word* sleep) const;

  network::StateStore states_;
  std::uint32_t sleep_words_;
  std::vector<Node> nodes_;
  std::vector<NodeId> first_;             // by state
  std::vector<std::vector<Word>> sleep_;  // blocks, so that growing copies nothing
  std::uint32_t sleep_sets_ = 0;
};

}  // namespace mazurka::stateful

// Listing 6 of *Revisiting Stateful Partial-Order Reduction*, with a stack instead of recursion. The reduced graph has
// a node per pair of a state and a sleep set, up to subsumption.
//
// Where the test of line 14 is weaker than IFS, a node may turn out to have nothing to explore: all that is enabled
// sleeps, or leads to such nodes only. Such a *dead* node is on no full run; the reduced transition system is what
// remains without it, and only then is it sound in the sense of Def. 5 (every full run of it is a full run of the
// system). `blocked` counts the nodes that have no successor although their state has.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "network/product.hpp"
#include "stateful/algorithm.hpp"
#include "stateful/choose_action.hpp"
#include "stateful/closure.hpp"
#include "stateful/ifs.hpp"
#include "stateful/node_store.hpp"
#include "stateful/p_closure.hpp"
#include "stateful/path_counts.hpp"
#include "stateful/pifs.hpp"

namespace mazurka::stateful {

struct ExplorationOptions {
  std::uint64_t max_nodes = UINT64_MAX;
  bool keep_edges = false;
  bool count_paths = false;
  std::size_t max_deadlock_runs = 100;  ///< runs kept; all deadlocks are counted
};

struct ExplorationStatistics {
  std::uint64_t nodes = 0;       ///< all that were created
  std::uint64_t blocked = 0;     ///< of them, without a successor though not terminal
  std::uint64_t dead = 0;        ///< of them, from which no terminal state is reached (includes the blocked ones)
  std::uint64_t edges = 0;       ///< all that were added
  std::uint64_t live_edges = 0;  ///< of them, to nodes that are not dead
  std::uint64_t subsumed = 0;    ///< edges to a node that was there already
  std::uint64_t refused = 0;     ///< successors that the test of line 14 refused
  std::uint64_t deadlocks = 0;   ///< terminal states in which some client still has an edge
  std::uint64_t terminal = 0;    ///< terminal states
  std::size_t depth = 0;         ///< of the stack, at most
};

class Exploration {
 public:
  struct Edge {
    ActionId action;
    NodeId target;
  };

  Exploration(const network::Product& product, const LocalFacts& facts, const Algorithm& algorithm,
              ExplorationOptions options);

  /// Runs to the end, to the limit, or until interrupted; calls `progress` every few thousand nodes.
  void run(const std::function<void(const ExplorationStatistics&)>& progress = {});

  bool complete() const { return complete_; }
  const ExplorationStatistics& statistics() const { return statistics_; }
  const Algorithm& algorithm() const { return algorithm_; }
  const network::Product& product() const { return *product_; }
  const NodeStore& nodes() const { return nodes_; }
  bool dead(NodeId n) const { return dead_[n]; }

  /// In the order in which they were explored. Needs keep_edges; complete explorations only.
  std::span<const Edge> edges(NodeId n) const {
    return std::span(edges_).subspan(edge_ranges_[n].begin, edge_ranges_[n].count);
  }
  /// Full runs of the reduced system. Needs count_paths.
  BigNatural paths() const;
  /// A run to each deadlock, the first ones found.
  const std::vector<std::vector<ActionId>>& deadlock_runs() const { return deadlock_runs_; }
  std::size_t bytes() const;

 private:
  struct Frame {
    NodeId node;
    std::uint32_t next;  // into choices_: the action to take next
    std::uint32_t end;
    ActionId taken = 0;  // towards the frame above
    View::Undo undo{};
    bool dead = true;
  };
  struct EdgeRange {
    std::uint32_t begin;
    std::uint32_t count;
  };

  void open(NodeId node, const Word* sleep);
  void close();
  void advance();
  void choose(const Word* sleep);
  bool test(const Word* sleep);
  void link(ActionId action, NodeId target);
  void record_terminal();
  Word* explored(std::size_t level) { return explored_.data() + level * view_.words(); }

  const network::Product* product_;
  const LocalFacts* facts_;
  Algorithm algorithm_;
  ExplorationOptions options_;
  ExplorationStatistics statistics_;
  NodeStore nodes_;
  std::vector<std::uint64_t> state_;  // the state on top of the stack, packed
  View view_;                         // and laid open
  Closure closure_;
  PClosure p_closure_;
  Pifs pifs_;
  ChooseAction choose_action_;
  Ifs ifs_;

  std::vector<Frame> stack_;
  std::vector<Word> explored_;       // per frame: Sl of Listing 6
  std::vector<ActionId> choices_;    // per frame: what ChooseAction will return, in order
  std::vector<Edge> open_edges_;     // per frame: out edges so far
  std::vector<std::size_t> open_edges_begin_;
  std::vector<BigNatural> open_paths_;
  std::vector<bool> dead_;
  std::vector<Edge> edges_;
  std::vector<EdgeRange> edge_ranges_;
  PathCounts paths_;
  std::vector<std::vector<ActionId>> deadlock_runs_;
  std::vector<Word> awake_;  // scratch
  std::vector<Word> source_;
  std::vector<Word> sleep_;
  std::vector<Word> first_;
  bool complete_ = false;
};

}  // namespace mazurka::stateful

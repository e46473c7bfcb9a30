// Listing 6 of *Revisiting Stateful Partial-Order Reduction*. The reduced graph has a node per pair of a state and a
// sleep set, up to subsumption.
//
// The listing is recursive; its authors say that they implemented it "using a stack instead of recursion". Their
// numbers are reproduced by a stack of unexplored nodes, not by the recursion: pop a node, then test, create and push
// all its successors in the order in which ChooseAction returns them, so that the last one is explored first. A
// successor may thus be subsumed by a node that is still on the stack. That is as good as an explored one: runs are
// finite, so the sleep invariant follows by induction on the length of the remaining run.
//
// If the test of line 14 is weaker than IFS, a node may turn out to have nothing to explore. A node is *blocked* if all
// its candidates are asleep although its state is not terminal; like the paper, we do not count such nodes. Other
// useless nodes are noticed only later; graph.hpp finds these *dead* nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "network/product.hpp"
#include "stateful/algorithm.hpp"
#include "stateful/choose_action.hpp"
#include "stateful/closure.hpp"
#include "stateful/ifs.hpp"
#include "stateful/node_store.hpp"
#include "stateful/p_closure.hpp"
#include "stateful/pifs.hpp"

namespace mazurka::stateful {

struct GraphExplorerOptions {
  std::uint64_t max_nodes = UINT64_MAX;
  bool keep_edges = false;
};

struct GraphStatistics {
  std::uint64_t created = 0;   ///< nodes, `waiting` of which are not explored yet
  std::uint64_t waiting = 0;   ///< on the stack
  std::uint64_t blocked = 0;   ///< nodes at which all enabled actions are asleep
  std::uint64_t edges = 0;     ///< of all nodes
  std::uint64_t subsumed = 0;  ///< of these, to an existing node
  std::uint64_t refused = 0;   ///< successors rejected by the test of line 14
  std::uint64_t terminal = 0;  ///< terminal states
  std::uint64_t nodes() const { return created - blocked; }
};

class GraphExplorer {
 public:
  struct Edge {
    ActionId action;
    NodeId target;
  };

  GraphExplorer(const network::Product& product, const LocalFacts& facts, const Algorithm& algorithm,
                GraphExplorerOptions options);

  /// Runs to the end, to the limit, or until interrupted; calls `progress` every few thousand nodes.
  void run(const std::function<void(const GraphStatistics&)>& progress = {});

  bool complete() const { return complete_; }
  const GraphStatistics& statistics() const { return statistics_; }
  const Algorithm& algorithm() const { return algorithm_; }
  const network::Product& product() const { return *product_; }
  const NodeStore& nodes() const { return nodes_; }
  bool blocked(NodeId n) const { return blocked_[n]; }

  /// In the order in which they were added. Needs keep_edges.
  std::span<const Edge> edges(NodeId n) const {
    return std::span(edges_).subspan(edge_ranges_[n].begin, edge_ranges_[n].count);
  }
  /// Nodes of terminal states in which some client still has an edge, in the order of their discovery.
  const std::vector<NodeId>& deadlocks() const { return deadlocks_; }
  /// The run by which a node was found.
  std::vector<ActionId> run_to(NodeId n) const;
  /// All memory in use, and that of the nodes alone: states, sleep sets, the visited set, edges.
  std::size_t bytes() const;

 private:
  struct EdgeRange {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };

  void explore(NodeId n);
  void choose();
  void follow(NodeId n, ActionId a);
  bool test(const Word* sleep);
  void create(NodeId parent, ActionId action, std::uint64_t hash, const Word* sleep);
  void link(ActionId a, NodeId target);

  const network::Product* product_;
  const LocalFacts* facts_;
  Algorithm algorithm_;
  GraphExplorerOptions options_;
  GraphStatistics statistics_;
  NodeStore nodes_;
  std::vector<GraphExplorer::Edge> found_by_;  // per node: the action from, and the number of, the node that created it
  std::vector<NodeId> waiting_;
  std::vector<bool> blocked_;
  std::vector<NodeId> deadlocks_;
  std::vector<Edge> edges_;
  std::vector<EdgeRange> edge_ranges_;
  bool complete_ = false;

  std::vector<std::uint64_t> state_;  // the current state, packed
  View view_;                         // and unpacked
  Closure closure_;
  PClosure p_closure_;
  Pifs pifs_;
  ChooseAction choose_action_;
  Ifs ifs_;
  std::vector<Word> explored_;  // Sl of Listing 6
  std::vector<Word> sleep_;     // Sl - Da
  std::vector<Word> handed_on_;
  std::vector<Word> awake_;
  std::vector<Word> source_;
  std::vector<ActionId> choices_;
};

}  // namespace mazurka::stateful

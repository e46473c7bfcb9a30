// Queries about a finished reduced graph, answered in one pass from the leaves up. A node is *dead* if it reaches no
// terminal state, and so is on no full run. The reduced transition system is the graph without dead nodes; only that is
// sound in the sense of Def. 5.
#pragma once

#include <vector>

#include "stateful/big_natural.hpp"
#include "stateful/graph_explorer.hpp"

namespace mazurka::stateful {

/// All nodes, each after its successors. \pre The exploration is complete and kept its edges.
std::vector<NodeId> postorder(const GraphExplorer& explorer);

std::vector<bool> dead_nodes(const GraphExplorer& explorer, const std::vector<NodeId>& postorder);

struct PathCounts {
  BigNatural maximal;  ///< paths to a node without successors, except blocked ones: what the paper's table counts
  BigNatural full;     ///< of these, those to a terminal state
};
PathCounts count_paths(const GraphExplorer& explorer, const std::vector<NodeId>& postorder);

}  // namespace mazurka::stateful

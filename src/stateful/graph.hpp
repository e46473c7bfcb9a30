// Questions about a finished reduced graph, answered in one pass from the leaves up. A node is *dead* if it reaches no
// terminal state. A dead node is on no full run; the reduced transition system is what remains without the dead nodes,
// and only then is it sound in the sense of Def. 5.
#pragma once

#include <vector>

#include "stateful/big_natural.hpp"
#include "stateful/exploration.hpp"

namespace mazurka::stateful {

/// All nodes, each after its successors. Needs keep_edges and a complete exploration.
std::vector<NodeId> postorder(const Exploration& exploration);

std::vector<bool> dead_nodes(const Exploration& exploration, const std::vector<NodeId>& postorder);

struct PathCounts {
  BigNatural maximal;  ///< paths to a node without successors, blocked nodes left out: what the paper's table counts
  BigNatural full;     ///< of them, those to a terminal state
};
PathCounts count_paths(const Exploration& exploration, const std::vector<NodeId>& postorder);

}  // namespace mazurka::stateful

#include "stateful/graph.hpp"

namespace mazurka::stateful {
namespace {

/// A number per node: most fit in a word, the others are stored separately.
class Counts {
 public:
  explicit Counts(std::size_t nodes) : counts_(nodes, 0) {}
  void set(NodeId n, const BigNatural& count) {
    if (count.fits() && (count.low() & kBig) == 0) {
      counts_[n] = count.low();
    } else {
      counts_[n] = kBig | big_.size();
      big_.push_back(count);
    }
  }
  void add_to(BigNatural& sum, NodeId n) const {
    if ((counts_[n] & kBig) == 0)
      sum += counts_[n];
    else
      sum += big_[counts_[n] & ~kBig];
  }

 private:
  static constexpr std::uint64_t kBig = std::uint64_t{1} << 63;
  std::vector<std::uint64_t> counts_;
  std::vector<BigNatural> big_;
};

bool terminal(const GraphExplorer& explorer, NodeId n) {
  bool any = false;
  explorer.product().for_each_enabled(explorer.nodes().state(n), [&](auto&&...) { any = true; });
  return !any;
}

}  // namespace

std::vector<NodeId> postorder(const GraphExplorer& explorer) {
  struct Frame {
    NodeId node;
    std::uint32_t next;
  };
  std::vector<NodeId> order;
  order.reserve(explorer.nodes().size());
  std::vector<bool> seen(explorer.nodes().size(), false);
  std::vector<Frame> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    const auto edges = explorer.edges(stack.back().node);
    if (stack.back().next == edges.size()) {
      order.push_back(stack.back().node);
      stack.pop_back();
      continue;
    }
    const NodeId target = edges[stack.back().next++].target;
    if (seen[target]) continue;
    seen[target] = true;
    stack.push_back({target, 0});
  }
  return order;
}

std::vector<bool> dead_nodes(const GraphExplorer& explorer, const std::vector<NodeId>& postorder) {
  std::vector<bool> dead(explorer.nodes().size(), true);
  for (NodeId n : postorder) {
    const auto edges = explorer.edges(n);
    if (edges.empty()) dead[n] = !terminal(explorer, n);
    for (const GraphExplorer::Edge& edge : edges)
      if (!dead[edge.target]) dead[n] = false;
  }
  return dead;
}

PathCounts count_paths(const GraphExplorer& explorer, const std::vector<NodeId>& postorder) {
  Counts maximal(explorer.nodes().size());
  Counts full(explorer.nodes().size());
  PathCounts sums;
  for (NodeId n : postorder) {
    sums.maximal.clear();
    sums.full.clear();
    bool leaf = true;
    for (const GraphExplorer::Edge& edge : explorer.edges(n)) {
      if (explorer.blocked(edge.target)) continue;
      leaf = false;
      maximal.add_to(sums.maximal, edge.target);
      full.add_to(sums.full, edge.target);
    }
    if (leaf) {
      sums.maximal += 1;
      if (explorer.edges(n).empty() && terminal(explorer, n)) sums.full += 1;
    }
    maximal.set(n, sums.maximal);
    full.set(n, sums.full);
  }
  return sums;  // of the root, which comes last
}

}  // namespace mazurka::stateful

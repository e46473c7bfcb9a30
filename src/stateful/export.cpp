#include "stateful/export.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "stateful/graph.hpp"

namespace mazurka::stateful {
namespace {

/// Live nodes numbered from 0, the root first; kNoNode for dead ones.
struct Numbering {
  std::vector<NodeId> number;
  NodeId count = 0;
  std::uint64_t edges = 0;
};

Numbering number_live(const GraphExplorer& explorer) {
  const auto dead = dead_nodes(explorer, postorder(explorer));
  Numbering result;
  result.number.assign(dead.size(), kNoNode);
  for (NodeId n = 0; n < dead.size(); ++n) {
    if (dead[n]) continue;
    result.number[n] = result.count++;
    for (const GraphExplorer::Edge& edge : explorer.edges(n))
      if (!dead[edge.target]) ++result.edges;
  }
  return result;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::string to_dot(const GraphExplorer& explorer) {
  const Numbering live = number_live(explorer);
  const network::Network& network = explorer.product().network();
  const auto& deadlocks = explorer.deadlocks();
  std::string text = fmt::format("digraph {} {{\n  node [shape=circle, label=\"\"];\n", quoted(network.name()));
  for (NodeId n = 0; n < live.number.size(); ++n) {
    if (live.number[n] == kNoNode) continue;
    if (n == 0) fmt::format_to(std::back_inserter(text), "  {} [penwidth=2];\n", live.number[n]);
    if (explorer.edges(n).empty()) {
      const bool deadlock = std::find(deadlocks.begin(), deadlocks.end(), n) != deadlocks.end();
      fmt::format_to(std::back_inserter(text), "  {} [shape={}];\n", live.number[n],
                     deadlock ? "octagon, style=filled, fillcolor=tomato" : "doublecircle");
    }
    for (const GraphExplorer::Edge& edge : explorer.edges(n))
      if (live.number[edge.target] != kNoNode)
        fmt::format_to(std::back_inserter(text), "  {} -> {} [label={}];\n", live.number[n], live.number[edge.target],
                       quoted(network.action_name(edge.action)));
  }
  return text + "}\n";
}

std::string to_aut(const GraphExplorer& explorer) {
  const Numbering live = number_live(explorer);
  const network::Network& network = explorer.product().network();
  std::string text = fmt::format("des (0, {}, {})\n", live.edges, live.count);
  for (NodeId n = 0; n < live.number.size(); ++n) {
    if (live.number[n] == kNoNode) continue;
    for (const GraphExplorer::Edge& edge : explorer.edges(n))
      if (live.number[edge.target] != kNoNode)
        fmt::format_to(std::back_inserter(text), "({}, {}, {})\n", live.number[n],
                       quoted(network.action_name(edge.action)), live.number[edge.target]);
  }
  return text;
}

}  // namespace mazurka::stateful

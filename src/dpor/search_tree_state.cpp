// A search tree as a value, and back.
#include <deque>
#include <utility>

#include "core/error.hpp"
#include "dpor/search_tree.hpp"

namespace mazurka::dpor {

void SearchTree::describe(SearchState& state) const {
  std::deque<std::pair<Index, std::uint32_t>> left{{kRoot, 0}};  // nodes, and where they stand in `begun`
  for (; !left.empty(); left.pop_front()) {
    const auto [index, number] = left.front();
    const Node& node = nodes_[index];
    trees_.visit(node.planned, [&, at = number](std::uint32_t depth, const LabelledStep& step) {
      state.planned.push_back({at, depth, step});
    });
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      SearchState::Begun begun;
      begun.parent = number;
      begun.step = node.sleep[node.inherited + i];
      begun.done = node.children[i] == kNoNode;
      if (!begun.done) {
        const Node& child = nodes_[node.children[i]];
        begun.rests = child.rests;
        begun.ready = child.held;
        begun.seen = !child.is_unseen;
        left.emplace_back(node.children[i], static_cast<std::uint32_t>(state.begun.size() + 1));
      }
      state.begun.push_back(begun);
    }
  }
}

std::vector<SearchTree::Index> SearchTree::restore(const SearchState& state) {
  std::vector<Index> ready;
  std::vector<Index> nodes{kRoot};  // kNoNode where nothing comes any more
  const auto node_at = [&](std::uint32_t number) {
    if (number >= nodes.size() || nodes[number] == kNoNode) throw InputError("the checkpoint is damaged");
    return nodes[number];
  };
  for (const SearchState::Begun& begun : state.begun) {
    const Index parent = node_at(begun.parent);
    if (begun.done) {
      add_done(parent, begun.step);
      nodes.push_back(kNoNode);
      continue;
    }
    nodes.push_back(begin(parent, begun.step, begun.seen));
    if (begun.rests) {
      nodes_[nodes.back()].rests = true;
      --nodes_[parent].active;
    }
    if (begun.ready) ready.push_back(nodes.back());
  }
  std::vector<WakeupTrees::Index> sequence;
  for (const SearchState::PlannedStep& planned : state.planned) {
    if (planned.depth > sequence.size()) throw InputError("the checkpoint is damaged");
    const Index node = node_at(planned.node);
    sequence.resize(planned.depth);
    sequence.push_back(
        trees_.append(nodes_[node].planned, sequence.empty() ? WakeupTrees::kNoNode : sequence.back(), planned.step));
    wait(node);
  }
  if (state.is_new) ready.push_back(kRoot);
  for (const Index node : ready) hold(node);
  return ready;
}

}  // namespace mazurka::dpor

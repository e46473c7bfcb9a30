// Source-DPOR (J. ACM 2017, Algorithm 1): a reversal v after E asks for one of its initials in the source set of E.
#include <algorithm>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {

Planned plan_source(SearchTree& tree, SearchTree::Index index, Reversal& v, Initial initial) {
  SearchTree::Node& node = tree[index];
  const LabelledStep* chosen = nullptr;
  for (std::size_t i = 0; i < v.sequence.size(); ++i) {
    if (!is_initial(v.sequence, i)) continue;
    // if I(v) meets backtrack(E), or a step of it sleeps, there is nothing to do
    const auto is_it = [&](const LabelledStep& s) { return s.step == v.sequence[i].step; };
    if (std::any_of(node.sleep.begin(), node.sleep.end(), is_it)) return Planned::Settled;
    for (auto child = node.planned; child != WakeupTrees::kNone; child = tree.trees[child].sibling)
      if (is_it(tree.trees[child].step)) return Planned::Settled;
    if (chosen == nullptr || initial == Initial::Last) chosen = &v.sequence[i];
  }
  tree.trees.append(node.planned, WakeupTrees::kNone, *chosen);
  tree.wait(index);
  return Planned::Settled;
}

}  // namespace mazurka::dpor

// Source-DPOR (J. ACM 2017, Algorithm 1): adds one of the initials of a reversal v after E to the source set of E.
#include <algorithm>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {

Planned plan_source(SearchPath& path, Reversal& v, Initial initial) {
  SearchPath::Node& node = path[v.at];
  const auto sleep = path.sleep(v.at);
  const LabelledStep* chosen = nullptr;
  for (std::size_t i = 0; i < v.sequence.size(); ++i) {
    if (!is_initial(v.sequence, i)) continue;
    // if I(v) meets backtrack(E), or a step of it sleeps, there is nothing to do
    const auto is_it = [&](const LabelledStep& s) { return s.step == v.sequence[i].step; };
    if (is_it(node.current) || std::any_of(sleep.begin(), sleep.end(), is_it)) return Planned::Settled;
    for (auto child = node.planned; child != WakeupTrees::kNone; child = path.trees[child].sibling)
      if (is_it(path.trees[child].step)) return Planned::Settled;
    if (chosen == nullptr || initial == Initial::Last) chosen = &v.sequence[i];
  }
  path.trees.append(node.planned, WakeupTrees::kNone, *chosen);
  return Planned::Settled;
}

}  // namespace mazurka::dpor

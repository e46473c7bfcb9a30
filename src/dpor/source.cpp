// Source-DPOR (J. ACM 2017, Algorithm 1): a reversal v after E asks for one of its initials in the source set of E.
//
// v holds only the causes of the new step (ReversalFinder::History::Causes). So every execution that contains the new
// step can start with each initial of v, and the source set meets its first steps: that is what makes source sets
// complete, with blocking and choices as without.
#include <algorithm>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {

std::size_t plan_source(Node& node, std::span<const LabelledStep> v) {
  const LabelledStep* chosen = nullptr;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!is_initial(v, i)) continue;
    // if I(v) meets backtrack(E), or a step of it sleeps, there is nothing to do
    const auto is_it = [&](const LabelledStep& s) { return s.step == v[i].step; };
    if (is_it(node.current) || std::any_of(node.sleep.begin(), node.sleep.end(), is_it)) return 0;
    if (std::any_of(node.planned.children.begin(), node.planned.children.end(),
                    [&](const WakeupTree& child) { return is_it(child.step); }))
      return 0;
    if (chosen == nullptr) chosen = &v[i];
  }
  node.planned.children.push_back({*chosen, {}});
  return 1;
}

}  // namespace mazurka::dpor

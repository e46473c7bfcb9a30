// Optimal-DPOR (J. ACM 2017, Algorithm 2; Algorithm 1 of *Optimal DPOR with Observers* without observers): a reversal v
// after E becomes a sequence of the wakeup tree of E, unless it is redundant.
//
// v holds the whole rest of the execution that does not follow from what v reverses (ReversalFinder::History::Whole),
// not only the causes of the new step, for two reasons. A step that sleeps at E and is no weak initial of v is woken by
// v, so that after a leaf nobody sleeps and no execution is blocked. And let w be an execution after E that was not
// explored, w' its longest prefix that is compatible with some step p in done(E), and f the step after w'. Then f
// conflicts with p, the first such p was explored with some execution that contains w', in which f is a conflicting
// extension, and its v contains w'.f: no step in done(E) is a weak initial of v. So v was planned, and its first step
// is compatible with w'.f, which contradicts the choice of w'. No step of this argument needs that operations do not
// block.
#include <algorithm>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {

std::size_t plan_optimal(Node& node, std::span<const LabelledStep> v) {
  // if sleep(E) meets WI(v) then v is redundant
  if (std::any_of(node.sleep.begin(), node.sleep.end(), [&](const LabelledStep& p) { return is_weak_initial(p, v); }))
    return 0;
  return node.planned.insert({v.begin(), v.end()});
}

}  // namespace mazurka::dpor

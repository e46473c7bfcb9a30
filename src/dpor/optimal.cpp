// Optimal-DPOR (J. ACM 2017, Algorithm 2; Algorithm 1 of *Optimal DPOR with Observers* without observers): a reversal v
// after E becomes a sequence of the wakeup tree of E, unless it is redundant. docs/dpor.md has the argument why this
// misses nothing, with operations that block as without, and why a reversal need not be looked at again once it is
// settled.
#include <algorithm>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {

Planned plan_optimal(SearchPath& path, Reversal& v) {
  // if sleep(E) meets WI(v) then v is redundant
  const LabelledStep& last = v.sequence.back();
  for (const LabelledStep& p : path.sleep(v.at)) {
    if (!is_weak_initial(p, v.sequence)) continue;
    // The new step itself was explored from E: nothing that the execution may add to v changes that.
    if (p.step == last.step && p.operation == last.operation) return Planned::Settled;
    v.redundant_by = p;
  }
  // The step being explored is the first child of the wakeup tree, and a leaf that is a way to start v is enough.
  const bool redundant = v.redundant_by || is_weak_initial(path[v.at].current, v.sequence);
  return redundant ? Planned::Open : path.trees.insert(path[v.at].planned, v.sequence);
}

}  // namespace mazurka::dpor

// Optimal-DPOR (J. ACM 2017, Algorithm 2; Algorithm 1 of *Optimal DPOR with Observers* without observers): a reversal v
// after E becomes a sequence of the wakeup tree of E, unless it is redundant. docs/dpor.md has the argument why this
// misses nothing, with operations that block as without, and why a reversal need not be looked at again once it is
// settled.
#include <span>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {

Planned plan_optimal(SearchTree& tree, SearchTree::Index index, std::size_t younger, Reversal& v) {
  // if sleep(E) meets WI(v) then v is redundant
  const SearchTree::Node& node = tree[index];
  const LabelledStep& last = v.sequence.back();
  for (const LabelledStep& p : std::span(node.sleep).first(younger)) {
    if (!is_weak_initial(p, v.sequence)) continue;
    // The new step itself was explored from E: nothing that the execution may add to v changes that.
    if (p.step == last.step && p.operation == last.operation) return Planned::Settled;
    v.redundant_by = p;
  }
  return v.redundant_by ? Planned::Open : tree.insert(index, younger, v.sequence);
}

}  // namespace mazurka::dpor

// Optimal-DPOR (J. ACM 2017, Algorithm 2; Algorithm 1 of *Optimal DPOR with Observers* without observers): inserts a
// reversal v after E into the wakeup tree of E, unless it is redundant. docs/dpor.md proves that this misses nothing,
// even with blocking operations, and that a settled reversal need not be considered again.
#include "dpor/explorer.hpp"

namespace mazurka::dpor {

std::optional<Planned> redundant_for_optimal(const SearchPath& path, Reversal& v) {
  // if sleep(E) meets WI(v) then v is redundant
  const LabelledStep& last = v.sequence.back();
  for (const LabelledStep& p : path.sleep(v.at)) {
    if (!is_weak_initial(p, v.sequence)) continue;
    // The new step itself was explored from E: no continuation of v changes that.
    if (p.step == last.step && p.operation == last.operation) return Planned::Settled;
    v.redundant_by = p;
  }
  // The current step is the first child of the wakeup tree; a leaf with which some execution starting with v begins
  // suffices.
  const bool redundant = v.redundant_by || is_weak_initial(path[v.at].current, v.sequence);
  return redundant ? std::optional(Planned::Open) : std::nullopt;
}

}  // namespace mazurka::dpor

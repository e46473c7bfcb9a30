// Optimal-DPOR with observers (Algorithm 1 of *Optimal DPOR with Observers*): two stores to the same bytes are ordered
// only if a later step reads the second, two deliveries to one mailbox only if a receive takes the first and could have
// taken the second.
//
// So a step p explored after E may become ordered after the steps that overtook it only long after them. A sequence v
// is redundant (Def. 3) if p is a weak initial of everything that follows E, including v; SearchPath records how far
// each such step has been overtaken.
//
// Where we deviate: the insertion into wakeup trees. Equivalence of sequences is not a right congruence here: for
// stores s1 and s2, s1.s2 and s2.s1 are equivalent, but s1.s2.r and s2.s1.r are not if r reads them. The paper inserts
// v below the last node u with u ~ v, even if v lacks a step of u. The new leaf u.v' then orders stores whose order v
// leaves open, and may be redundant although v is not. Here v goes below a step only if it contains that step as an
// initial. If a step that v does not contain is a weak initial of v, then v will be redundant once that step is
// explored, and is not inserted at all. So every leaf is equivalent to an inserted sequence, and Def. 4 holds for the
// tree. docs/dpor.md has the proof.
#include "dpor/explorer.hpp"

namespace mazurka::dpor {
namespace {

/// Whether p alone shows that v is redundant, so that later executions need not examine all of v again.
bool is_simple(const LabelledStep& p, const Overtaken& state) {
  return state.stage == Overtaken::Stage::No && p.operation.kind != OperationKind::Store &&
         p.operation.kind != OperationKind::MailboxSend;
}

}  // namespace

std::optional<Planned> redundant_for_observers(SearchPath& path, Reversal& v) {
  // if v is in redundant(E, done) there is nothing to do
  const auto sleep = path.sleep(v.at);
  const auto overtaken = path.overtaken(v.at);
  const LabelledStep& last = v.sequence.back();
  bool redundant = false;
  for (std::size_t i = 0; i < sleep.size(); ++i) {
    const LabelledStep& p = sleep[i];
    if (!is_weak_initial_observed(p, v.sequence, path.messages(), overtaken[i])) continue;
    if (is_simple(p, overtaken[i])) {
      // The new step itself was explored from E: no continuation of v changes that.
      if (p.step == last.step && p.operation == last.operation) return Planned::Settled;
      v.redundant_by = p;
    }
    redundant = true;
  }
  // The current step is the first child of the wakeup tree.
  redundant = redundant || is_weak_initial_observed(path[v.at].current, v.sequence, path.messages());
  return redundant ? std::optional(Planned::Open) : std::nullopt;
}

}  // namespace mazurka::dpor

// Optimal-DPOR with observers (Algorithm 1 of *Optimal DPOR with Observers*): two stores to the same bytes are ordered
// only if a later step reads the second of them, two deliveries to one mailbox only if a receive takes the first of
// them and could have taken the second.
//
// A step p that was explored after E can therefore come to be ordered after the steps that overtook it long after them.
// So a sequence v is redundant (Def. 3) if p is a weak initial of all that follows E, v included; SearchTree keeps how
// far each such step has been overtaken.
//
// Where we deviate: the insertion into wakeup trees. Equivalence of sequences is no right congruence here: s1.s2 and
// s2.s1 are equivalent if s1 and s2 are stores, s1.s2.r and s2.s1.r are not if r reads them. The paper inserts v below
// the last node u with u ~ v, even if v lacks a step of u; the new leaf u.v' then orders stores whose order v leaves
// open, and may be redundant although v is not. Here v goes below a step only if it contains that step, as an initial.
// If a step that v does not contain is a weak initial of v, then v will be redundant once that step is explored, and is
// not inserted at all. So every leaf is equivalent to a sequence that was inserted, and Def. 4 holds for the tree.
// docs/dpor.md has the proof.
#include "dpor/exploration.hpp"

namespace mazurka::dpor {
namespace {

/// Whether what makes v redundant can be seen from p alone, so that later executions need not look at all of v again.
bool is_simple(const LabelledStep& p, const Overtaken& state) {
  return state.stage == Overtaken::Stage::No && p.operation.kind != OperationKind::Store &&
         p.operation.kind != OperationKind::MailboxSend;
}

}  // namespace

Planned plan_observers(SearchTree& tree, SearchTree::Index index, std::size_t younger, Reversal& v) {
  // if v is in redundant(E, done) there is nothing to do
  const SearchTree::Node& node = tree[index];
  const LabelledStep& last = v.sequence.back();
  bool redundant = false;
  for (std::size_t i = 0; i < younger; ++i) {
    const LabelledStep& p = node.sleep[i];
    if (!is_weak_initial_observed(p, v.sequence, tree.messages(), node.overtaken[i])) continue;
    if (is_simple(p, node.overtaken[i])) {
      // The new step itself was explored from E: nothing that the execution may add to v changes that.
      if (p.step == last.step && p.operation == last.operation) return Planned::Settled;
      v.redundant_by = p;
    }
    redundant = true;
  }
  return redundant ? Planned::Open : tree.insert(index, younger, v.sequence);
}

}  // namespace mazurka::dpor

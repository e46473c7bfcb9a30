// Optimal-DPOR with observers (Algorithm 1 of *Optimal DPOR with Observers*). Sleep sets cannot say what a step that
// was explored still forbids, since a later read may order stores that seemed independent. Instead, a reversal is
// redundant (Def. 3) if a step done at any prefix of E is a weak initial of what follows that prefix.
#include <algorithm>

#include "dpor/exploration.hpp"

namespace mazurka::dpor {
namespace {

bool redundant(const SearchPath& path, const Reversal& v) {
  std::vector<LabelledStep> sequence;
  for (std::size_t i = 0; i < v.at; ++i) sequence.push_back(path[i].current);
  sequence.insert(sequence.end(), v.sequence.begin(), v.sequence.end());
  for (std::size_t i = 0; i <= v.at; ++i) {
    const auto done = path.sleep(i);
    const auto rest = std::span<const LabelledStep>(sequence).subspan(i);
    if (std::any_of(done.begin(), done.end(), [&](const LabelledStep& p) { return is_weak_initial_observed(p, rest); }))
      return true;
  }
  return false;
}

}  // namespace

Planned plan_observers(SearchPath& path, Reversal& v) {
  // The step being explored is the first child of the wakeup tree.
  if (redundant(path, v) || is_weak_initial_observed(path[v.at].current, v.sequence)) return Planned::Settled;
  const std::vector<LabelledStep> whole = v.sequence;
  std::vector<LabelledStep> way;
  path.trees.insert(path[v.at].planned, v.sequence, [&](const LabelledStep& step, const auto&) {
    way.push_back(step);
    if (similar_observed(way, whole)) return true;
    way.pop_back();
    return false;
  });
  return Planned::Settled;
}

void drop_redundant(SearchPath& path) {
  Reversal v;
  v.at = path.size() - 1;
  while (path.back().planned != WakeupTrees::kNone) {
    path.trees.first_leaf(path.back().planned, v.sequence);
    if (!redundant(path, v) && !is_weak_initial_observed(path.back().current, v.sequence)) return;
    path.trees.drop_first_leaf(path.back().planned);
  }
}

}  // namespace mazurka::dpor

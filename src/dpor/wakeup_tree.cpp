#include "dpor/wakeup_tree.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::dpor {

bool is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v) {
  for (const LabelledStep& q : v) {
    if (q.step.process == p.step.process) return q.step == p.step;
    if (dependent(q.operation, p.operation)) return false;
  }
  return true;
}

bool is_initial(std::span<const LabelledStep> v, std::size_t i) {
  return std::none_of(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(i), [&](const LabelledStep& before) {
    return before.step.process == v[i].step.process || dependent(before.operation, v[i].operation);
  });
}

std::size_t WakeupTree::insert(std::vector<LabelledStep> v) {
  WakeupTree* node = this;
  for (;;) {
    const auto child = std::find_if(node->children.begin(), node->children.end(),
                                    [&](const WakeupTree& c) { return is_weak_initial(c.step, v); });
    if (child == node->children.end()) break;
    // Go on below the child with v \ p.
    const auto same =
        std::find_if(v.begin(), v.end(), [&](const LabelledStep& s) { return s.step == child->step.step; });
    if (same != v.end()) v.erase(same);
    if (child->children.empty() || v.empty()) return 0;  // a leaf is a way to start v, or v is a way to start a leaf
    node = &*child;
  }
  for (const LabelledStep& next : v) {
    node->children.push_back({next, {}});
    node = &node->children.back();
  }
  return v.size();
}

}  // namespace mazurka::dpor

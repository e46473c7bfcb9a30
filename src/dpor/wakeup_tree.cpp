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

WakeupTrees::Index WakeupTrees::make(const LabelledStep& step) {
  ++added_;
  Index index = free_;
  if (index == kNone) {
    index = static_cast<Index>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[index].sibling;
    --free_count_;
  }
  nodes_[index] = {step, kNone, kNone};
  return index;
}

WakeupTrees::Index WakeupTrees::append(Index& children, Index parent, const LabelledStep& step) {
  const Index made = make(step);
  Index& first = parent == kNone ? children : nodes_[parent].child;
  if (first == kNone) return first = made;
  Index last = first;
  while (nodes_[last].sibling != kNone) last = nodes_[last].sibling;
  return nodes_[last].sibling = made;
}

WakeupTrees::Node WakeupTrees::take_first(Index& children) {
  const Index first = children;
  const Node node = nodes_[first];
  children = node.sibling;
  nodes_[first].sibling = free_;
  free_ = first;
  ++free_count_;
  return node;
}

void WakeupTrees::first_leaf(Index children, std::vector<LabelledStep>& sequence) const {
  sequence.clear();
  for (; children != kNone; children = nodes_[children].child) sequence.push_back(nodes_[children].step);
}

void WakeupTrees::drop_first_leaf(Index& children) {
  Index below = nodes_[children].child;
  if (below != kNone) {
    drop_first_leaf(below);
    nodes_[children].child = below;
    if (below != kNone) return;
  }
  take_first(children);
}

}  // namespace mazurka::dpor

#include "dpor/wakeup_tree.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/interrupt.hpp"
#include "core/observation.hpp"
#include "dpor/overtaken.hpp"

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
  if (index == kNoNode) {
    index = static_cast<Index>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[index].sibling;
    --free_count_;
  }
  nodes_[index] = {step, kNoNode, kNoNode};
  return index;
}

WakeupTrees::Index WakeupTrees::append(Index& children, Index parent, const LabelledStep& step) {
  const Index made = make(step);
  Index& first = parent == kNoNode ? children : nodes_[parent].child;
  if (first == kNoNode) return first = made;
  Index last = first;
  while (nodes_[last].sibling != kNoNode) last = nodes_[last].sibling;
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

std::vector<SequenceStep> WakeupTrees::list(Index children) const {
  std::vector<SequenceStep> steps;
  visit(children, [&](std::uint32_t depth, const LabelledStep& step) { steps.push_back({depth, step}); });
  return steps;
}

WakeupTrees::Index WakeupTrees::build(std::span<const SequenceStep> steps) {
  Index children = kNoNode;
  std::vector<Index> sequence;  // the one that was added last
  for (const SequenceStep& step : steps) {
    sequence.resize(step.depth);
    sequence.push_back(append(children, sequence.empty() ? kNoNode : sequence.back(), step.step));
  }
  return children;
}

void WakeupTrees::remove(Index children) {
  std::vector<Index> left{children};
  while (!left.empty()) {
    Index child = left.back();
    left.pop_back();
    while (child != kNoNode) left.push_back(take_first(child).child);
  }
}

Planned WakeupTrees::insert_initial(Index& children, const std::vector<LabelledStep>& v, Initial initial) {
  const LabelledStep* const chosen = initial_to_plan(v, initial, [&](const Step& step) { return has(children, step); });
  if (chosen != nullptr) append(children, kNoNode, *chosen);
  return Planned::Settled;
}

Planned WakeupTrees::go_below(const LabelledStep& p, std::vector<LabelledStep>& v, bool observers) {
  const std::size_t same = position(v, 0, p);
  if (same == v.size()) {
    // With observers v is not explored below p at all: it is redundant once p was explored.
    if (observers) v.clear();
    return Planned::Open;
  }
  const auto overtaken = std::span(v).first(same);
  const bool overtakes = observers && std::any_of(overtaken.begin(), overtaken.end(), [&](const LabelledStep& s) {
                           return needs_observer(s.operation, v[same].operation);
                         });
  v.erase(v.begin() + static_cast<std::ptrdiff_t>(same));
  return overtakes ? Planned::Open : Planned::Settled;
}

Planned WakeupTrees::insert(Index& children, std::vector<LabelledStep>& v) {
  Planned planned = Planned::Settled;
  Index parent = kNoNode;
  std::size_t begin = 0;  // of what is left of v
  for (;;) {
    if (interrupted()) return Planned::Open;  // the exploration is over, and incomplete
    Index child = first_child(children, parent);
    const auto rest = std::span<const LabelledStep>(v).subspan(begin);
    while (child != kNoNode && !is_weak_initial(nodes_[child].step, rest)) child = nodes_[child].sibling;
    if (child == kNoNode) break;
    // Go on below the child with v \ p.
    const std::size_t same = position(v, begin, nodes_[child].step);
    if (same < v.size())
      move_up(v, begin++, same);
    else
      planned = Planned::Open;  // what starts with v but not with this child is not planned here
    if (nodes_[child].child == kNoNode) return planned;  // a leaf is a way to start v
    if (begin == v.size()) return Planned::Open;         // v is a way to start some leaf
    parent = child;
  }
  add_branch(children, parent, std::span(v).subspan(begin));
  return planned;
}

Planned WakeupTrees::insert_observed(Index& children, std::vector<LabelledStep>& v, OvertakingMessages& messages) {
  Planned planned = Planned::Settled;
  Index parent = kNoNode;
  for (std::size_t begin = 0; begin < v.size(); ++begin) {
    if (interrupted()) return Planned::Open;
    Index child = first_child(children, parent);
    const auto rest = std::span<const LabelledStep>(v).subspan(begin);
    while (child != kNoNode && !is_weak_initial_observed(nodes_[child].step, rest, messages))
      child = nodes_[child].sibling;
    if (child == kNoNode) {
      add_branch(children, parent, rest);
      break;
    }
    const std::size_t same = position(v, begin, nodes_[child].step);
    if (same == v.size()) return Planned::Open;  // the child will be explored, and makes v redundant
    // A store or delivery that overtakes another: a later step of an execution that starts with v may tell them apart.
    const auto overtaken = std::span(v).subspan(begin, same - begin);
    if (std::any_of(overtaken.begin(), overtaken.end(),
                    [&](const LabelledStep& s) { return needs_observer(s.operation, v[same].operation); }))
      planned = Planned::Open;
    move_up(v, begin, same);
    if (nodes_[child].child == kNoNode) break;  // a leaf is a way to start v
    parent = child;
  }
  return planned;
}

}  // namespace mazurka::dpor

#include "dpor/search_tree.hpp"

#include <algorithm>
#include <utility>

#include "core/dependence.hpp"
#include "core/invariant.hpp"

namespace mazurka::dpor {

SearchTree::Index SearchTree::begin(Index parent, const LabelledStep& step, bool seen) {
  tidy_messages();
  Index index = static_cast<Index>(nodes_.size());
  if (free_.empty()) {
    nodes_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Node& from = nodes_[parent];
  Node& node = nodes_[index];
  node.step = step;
  node.parent = parent;
  node.depth = from.depth + 1;
  for (std::size_t i = 0; i < from.sleep.size(); ++i) {
    const LabelledStep& asleep = from.sleep[i];
    if (observers_) {
      Overtaken state = from.overtaken[i];
      if (!remains_weak_initial(asleep, state, step, messages_)) continue;
      node.overtaken.push_back(state);
    } else if (asleep.step.process == step.step.process || dependent(asleep.operation, step.operation)) {
      continue;
    }
    node.sleep.push_back(asleep);
  }
  node.inherited = static_cast<std::uint32_t>(node.sleep.size());
  node.place = static_cast<std::uint32_t>(from.sleep.size());
  from.sleep.push_back(step);
  if (observers_) from.overtaken.emplace_back();
  from.children.push_back(index);
  ++from.active;
  // Whether a store or delivery makes the program fail is part of its label: others may overtake it (mark_fatal).
  node.is_unseen = !seen && observers_ &&
                   (step.operation.kind == OperationKind::Store || step.operation.kind == OperationKind::MailboxSend);
  if (node.is_unseen) ++from.unseen;
  return index;
}

void SearchTree::add_done(Index parent, const LabelledStep& step) {
  Node& from = nodes_[parent];
  from.sleep.push_back(step);
  if (observers_) from.overtaken.emplace_back();
  from.children.push_back(kNoNode);
  if (from.oldest + 1 == from.children.size()) ++from.oldest;
}

SearchTree::Index SearchTree::begin_planned(Index node) {
  do {
    const WakeupTrees::Node next = trees_.take_first(nodes_[node].planned);
    if (nodes_[node].planned == WakeupTrees::kNoNode) waiting_.erase({nodes_[node].depth, node});
    node = begin(node, next.step, false);
    nodes_[node].planned = next.child;
    if (next.child != WakeupTrees::kNoNode) wait(node);
  } while (nodes_[node].planned != WakeupTrees::kNoNode);
  return node;
}

void SearchTree::plan(Index node, std::span<const SequenceStep> planned) {
  MZ_INVARIANT(nodes_[node].planned == WakeupTrees::kNoNode, "an explorer plans after its own prefixes alone");
  nodes_[node].planned = trees_.build(planned);
  if (!planned.empty()) wait(node);
}

bool SearchTree::is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v) {
  return observers_ ? is_weak_initial_observed(p, v, messages_) : dpor::is_weak_initial(p, v);
}

void SearchTree::tidy_messages() {
  if (messages_.size() < many_messages_) return;
  OvertakingMessages kept;
  for (Node& node : nodes_)
    for (Overtaken& state : node.overtaken) state.deliveries = messages_.copy(state.deliveries, kept);
  messages_ = std::move(kept);
  many_messages_ = std::max(many_messages_, 2 * messages_.size());
}

Planned SearchTree::insert(Index node, std::size_t from, std::vector<LabelledStep>& v) {
  Planned planned = Planned::Settled;
  for (;;) {
    const Node& at = nodes_[node];
    std::size_t place = from;
    while (place < at.sleep.size() && !is_weak_initial(at.sleep[place], v)) ++place;
    if (place == at.sleep.size()) break;
    const Index child = at.children[place - at.inherited];
    const Planned below = WakeupTrees::go_below(at.sleep[place], v, observers_);
    // The child is explored with all that starts with v, or without the step that v lacks.
    if (below == Planned::Open) planned = Planned::Open;
    if (child == kNoNode || nodes_[child].inherited == 0) return planned;  // all that is possible is explored there
    if (v.empty()) return Planned::Open;                                   // v is a way to start some leaf
    MZ_INVARIANT(!nodes_[child].held, "nothing comes from outside to what an explorer explores by itself");
    node = child;
    from = nodes_[child].inherited;  // nobody who sleeps there is a weak initial of v, since it would be one here
  }
  WakeupTrees::Index& children = nodes_[node].planned;
  const Planned below = observers_ ? trees_.insert_observed(children, v, messages_) : trees_.insert(children, v);
  if (children != WakeupTrees::kNoNode) {
    wake(node);
    wait(node);
  }
  return below == Planned::Open ? below : planned;
}

void SearchTree::append(Index node, const LabelledStep& step) {
  trees_.append(nodes_[node].planned, WakeupTrees::kNoNode, step);
  wake(node);
  wait(node);
}

/// Something is left to do below.
void SearchTree::wake(Index node) {
  for (; nodes_[node].rests; node = nodes_[node].parent) {
    nodes_[node].rests = false;
    ++nodes_[nodes_[node].parent].active;
  }
}

void SearchTree::wait(Index node) { waiting_.emplace(nodes_[node].depth, node); }

SearchTree::Index SearchTree::next_waiting() const {
  for (const auto& [depth, node] : waiting_)
    if (nodes_[node].unseen == 0) return node;
  return kNoNode;
}

void SearchTree::mark_fatal(Index node) {
  nodes_[node].step.operation.flags |= kFatal;
  nodes_[nodes_[node].parent].sleep[nodes_[node].place].operation.flags |= kFatal;
}

void SearchTree::mark_seen(Index node) {
  if (!observers_) return;  // no node is unseen
  for (; node != kRoot; node = nodes_[node].parent) {
    if (!nodes_[node].is_unseen) continue;
    nodes_[node].is_unseen = false;
    --nodes_[nodes_[node].parent].unseen;
  }
}

void SearchTree::let_go(Index node) {
  nodes_[node].held = false;
  clean_up(node);
}

void SearchTree::clean_up(Index index) {
  while (index != kRoot && !is_active(nodes_[index]) && !nodes_[index].rests) {
    Node& node = nodes_[index];
    const Index parent = node.parent;
    --nodes_[parent].active;
    if (node.is_unseen) {
      node.is_unseen = false;
      --nodes_[parent].unseen;
    }
    // What older children find may have to be explored below it: its steps sleep, but not all that follows them.
    if (node.inherited == 0) {
      nodes_[parent].children[node.place - nodes_[parent].inherited] = kNoNode;
      remove(index);
    } else {
      node.rests = true;
    }
    if (is_sealed(parent)) forget_oldest(parent);
    index = parent;
  }
}

bool SearchTree::is_sealed(Index index) const {
  for (;;) {
    const Node& node = nodes_[index];
    if (node.inherited == 0) return true;
    const Node& parent = nodes_[node.parent];
    if (parent.oldest != node.place - parent.inherited) return false;
    index = node.parent;
  }
}

void SearchTree::forget_oldest(Index index) {
  for (;;) {
    Node& node = nodes_[index];
    for (; node.oldest < node.children.size(); ++node.oldest) {
      const Index child = node.children[node.oldest];
      if (child == kNoNode) continue;
      if (!nodes_[child].rests) break;
      node.children[node.oldest] = kNoNode;
      remove(child);
    }
    if (node.oldest == node.children.size()) return;
    index = node.children[node.oldest];  // which is sealed now
    if (nodes_[index].inherited == 0) return;
  }
}

void SearchTree::remove(Index index) {
  Node& node = nodes_[index];
  for (const Index child : node.children)
    if (child != kNoNode) remove(child);
  node.active = node.unseen = node.oldest = 0;
  node.rests = false;
  node.sleep.clear();
  node.overtaken.clear();
  node.children.clear();
  free_.push_back(index);
}

SearchPath::Prefix SearchTree::prefix(Index node) const {
  SearchPath::Prefix prefix(nodes_[node].depth);
  for (; node != kRoot; node = nodes_[node].parent) {
    const Node& parent = nodes_[nodes_[node].parent];
    SearchPath::Taken& taken = prefix[parent.depth];
    taken.step = nodes_[node].step;
    taken.done.assign(parent.sleep.begin() + parent.inherited, parent.sleep.begin() + nodes_[node].place);
  }
  return prefix;
}

std::vector<SearchTree::Index> SearchTree::chain(Index node) const {
  std::vector<Index> nodes(nodes_[node].depth + 1);
  for (;; node = nodes_[node].parent) {
    nodes[nodes_[node].depth] = node;
    if (node == kRoot) return nodes;
  }
}

}  // namespace mazurka::dpor

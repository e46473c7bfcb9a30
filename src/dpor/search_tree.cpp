#include "dpor/search_tree.hpp"

#include <algorithm>
#include <utility>

#include "core/dependence.hpp"

namespace mazurka::dpor {

SearchTree::Index SearchTree::begin(Index parent, const LabelledStep& step, WakeupTrees::Index planned) {
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
  node.switches = from.switches + (parent != kRoot && from.step.step.process != step.step.process ? 1 : 0);
  node.planned = planned;
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
  ++from.users;
  return index;
}

SearchTree::Index SearchTree::begin_planned(Index node) {
  do {
    const WakeupTrees::Node next = trees.take_first(nodes_[node].planned);
    const Index child = begin(node, next.step, next.child);
    if (nodes_[node].planned != WakeupTrees::kNone) wait(node);
    // Whether a store or delivery makes the program fail is part of its label: others may overtake it (mark_fatal).
    if (observers_ &&
        (next.step.operation.kind == OperationKind::Store || next.step.operation.kind == OperationKind::MailboxSend)) {
      ++nodes_[node].unseen;
      nodes_[child].is_unseen = true;
    }
    node = child;
  } while (nodes_[node].planned != WakeupTrees::kNone);
  return node;
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
    Node& at = nodes_[node];
    std::size_t place = from;
    while (place < at.sleep.size() && !is_weak_initial(at.sleep[place], v)) ++place;
    if (place == at.sleep.size()) break;
    const Index child = at.children[place - at.inherited];
    const Planned below = WakeupTrees::go_below(at.sleep[place], v, observers_);
    // The child is explored with all that starts with v, or without the step that v lacks.
    if (below == Planned::Open) planned = Planned::Open;
    if (child == kNone || nodes_[child].inherited == 0) return planned;  // all that is possible is explored there
    if (v.empty()) return Planned::Open;                                 // v is a way to start some leaf
    node = child;
    from = nodes_[child].inherited;  // nobody who sleeps there is a weak initial of v, since it would be one here
  }
  const Planned below =
      observers_ ? trees.insert_observed(nodes_[node].planned, v, messages_) : trees.insert(nodes_[node].planned, v);
  if (nodes_[node].planned != WakeupTrees::kNone) {
    wake(node);
    wait(node);
  }
  return below == Planned::Open ? below : planned;
}

/// Something is left to do below.
void SearchTree::wake(Index node) {
  for (; nodes_[node].rests; node = nodes_[node].parent) {
    nodes_[node].rests = false;
    ++nodes_[nodes_[node].parent].users;
  }
}

void SearchTree::mark_fatal(Index node) {
  nodes_[node].step.operation.flags |= kFatal;
  nodes_[nodes_[node].parent].sleep[nodes_[node].place].operation.flags |= kFatal;
}

void SearchTree::mark_seen(Index node, std::uint32_t from) {
  for (; nodes_[node].depth > from; node = nodes_[node].parent) {
    if (!nodes_[node].is_unseen) continue;
    nodes_[node].is_unseen = false;
    --nodes_[nodes_[node].parent].unseen;
  }
}

std::size_t SearchTree::go_to(Index node, std::vector<Index>& path) const {
  const std::size_t length = nodes_[node].depth + 1;
  const std::size_t old = path.size();
  path.resize(length);
  std::size_t shared = length;
  while (shared > old || path[shared - 1] != node) {
    path[--shared] = node;
    node = nodes_[node].parent;
  }
  return shared - 1;
}

void SearchTree::clean_up(Index index) {
  while (index != kRoot && !is_active(nodes_[index]) && !nodes_[index].rests) {
    Node& node = nodes_[index];
    const Index parent = node.parent;
    --nodes_[parent].users;
    if (node.is_unseen) {
      node.is_unseen = false;
      --nodes_[parent].unseen;
    }
    // What older children find may have to be explored below it: its steps sleep, but not all that follows them.
    if (node.inherited == 0) {
      nodes_[parent].children[node.place - nodes_[parent].inherited] = kNone;
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
      if (child == kNone) continue;
      if (!nodes_[child].rests) break;
      node.children[node.oldest] = kNone;
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
    if (child != kNone) remove(child);
  node.users = node.unseen = node.oldest = 0;
  node.rests = false;
  node.sleep.clear();
  node.overtaken.clear();
  node.children.clear();
  removed_.push_back(index);
}

void SearchTree::wait(Index index) {
  Node& node = nodes_[index];
  if (node.waits) return;
  node.waits = true;
  Waiting& waiting = waiting_[explorer_];
  if (waiting.by_depth.size() <= node.depth) waiting.by_depth.resize(node.depth + 1);
  waiting.by_depth[node.depth].push_back(index);
  if (node.depth > waiting.top) waiting.top = node.depth;
  ++waiting.count;
  ++waiting_count_;
}

SearchTree::Index SearchTree::take(Waiting& waiting, bool longest) {
  if (waiting.count == 0) return kNone;
  const std::size_t depths = waiting.deepest() + 1;
  for (std::size_t i = 0; i < depths; ++i) {
    auto& nodes = waiting.by_depth[longest ? depths - 1 - i : i];
    for (std::size_t k = nodes.size(); k-- > 0;) {
      const Index index = nodes[k];
      if (nodes_[index].unseen != 0) continue;
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(k));
      nodes_[index].waits = false;
      --waiting.count;
      --waiting_count_;
      return index;
    }
  }
  return kNone;
}

SearchTree::Index SearchTree::next_waiting(std::uint32_t explorer, bool takes_others) {
  plan_for(explorer);
  if (const Index own = take(waiting_[explorer], true); own != kNone || !takes_others) return own;
  Index node = kNone;
  for (std::size_t i = 1; i < waiting_.size() && node == kNone; ++i)
    node = take(waiting_[(explorer + i) % waiting_.size()], false);
  return node;
}

}  // namespace mazurka::dpor

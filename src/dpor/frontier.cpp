#include "dpor/frontier.hpp"

#include <algorithm>
#include <chrono>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::dpor {

Frontier::Frontier(bool observers, const SearchState& state) : tree_(observers), ready_(tree_.restore(state)) {}

std::optional<Frontier::Subtree> Frontier::take() {
  constexpr auto kNap = std::chrono::milliseconds(20);  // between looks at whether the user interrupts
  std::unique_lock lock(mutex_);
  for (;;) {
    bool over = false;
    std::optional<Subtree> taken = next(over);
    if (taken || over) return taken;
    count_idle(1);
    changed_.wait_for(lock, kNap);
    count_idle(-1);
  }
}

std::optional<Frontier::Subtree> Frontier::try_take(bool& over) {
  const std::lock_guard lock(mutex_);
  return next(over);
}

void Frontier::begin_idling() {
  const std::lock_guard lock(mutex_);
  count_idle(1);
}

void Frontier::end_idling() {
  const std::lock_guard lock(mutex_);
  count_idle(-1);
}

double Frontier::idle_seconds() {
  const std::lock_guard lock(mutex_);
  count_idle(0);
  return idle_seconds_;
}

void Frontier::count_idle(int change) {
  const auto now = std::chrono::steady_clock::now();
  idle_seconds_ += static_cast<double>(idle_) * std::chrono::duration<double>(now - idle_changed_).count();
  idle_changed_ = now;
  idle_ += static_cast<std::size_t>(change);
  short_of_work_ = idle_ != 0;
}

std::optional<Frontier::Subtree> Frontier::next(bool& over) {
  over = stops() || interrupted();
  if (over) return std::nullopt;
  SearchTree::Index node = SearchTree::kNoNode;
  if (!ready_.empty()) {
    node = ready_.back();
    ready_.pop_back();
  } else if (const SearchTree::Index from = tree_.next_waiting(); from != SearchTree::kNoNode) {
    node = tree_.begin_planned(from);
  }
  if (node != SearchTree::kNoNode) {
    ++held_;
    tree_.hold(node);
    return Subtree{tree_.chain(node), tree_.prefix(node)};
  }
  if (held_ == 0) {
    MZ_INVARIANT(!tree_.has_waiting(), "what is planned can be begun once all executions have ended");
    finished_ = over = true;
    changed_.notify_all();
  }
  return std::nullopt;
}

void Frontier::finish(const Subtree& subtree) {
  const std::lock_guard lock(mutex_);
  --held_;
  tree_.let_go(subtree.nodes.back());
  if (idle_ != 0 || met_ != 0) changed_.notify_all();
}

void Frontier::give_back(const Subtree& subtree) {
  const std::lock_guard lock(mutex_);
  --held_;
  ready_.push_back(subtree.nodes.back());  // which stays held, since something is left to do below
  changed_.notify_all();
}

std::size_t Frontier::stock() {
  const std::lock_guard lock(mutex_);
  return ready_.size() + tree_.waiting();
}

void Frontier::meet(const std::function<void(SearchState&)>& met) {
  std::unique_lock lock(mutex_);
  ++met_;
  const std::size_t meeting = meetings_;
  while (!is_over(meeting, met)) changed_.wait(lock);
}

std::size_t Frontier::arrive(std::size_t subtrees) {
  const std::lock_guard lock(mutex_);
  met_ += subtrees;
  return meetings_;
}

bool Frontier::try_meet(std::size_t meeting, const std::function<void(SearchState&)>& met) {
  const std::lock_guard lock(mutex_);
  return is_over(meeting, met);
}

bool Frontier::is_over(std::size_t meeting, const std::function<void(SearchState&)>& met) {
  if (meetings_ != meeting || stops()) return true;
  if (met_ != held_) return false;
  SearchState state;
  tree_.describe(state);
  state.is_new = tree_[SearchTree::kRoot].held;
  met(state);
  met_ = 0;
  ++meetings_;
  changed_.notify_all();
  return true;
}

Planned Frontier::insert(const Subtree& subtree, Reversal& v) {
  const std::lock_guard lock(mutex_);
  const std::size_t younger = tree_[subtree.nodes[v.at + 1]].place + 1;
  const Planned planned = tree_.insert(subtree.nodes[v.at], younger, v.sequence);
  if (idle_ != 0 && tree_.has_waiting()) changed_.notify_one();
  return planned;
}

Planned Frontier::insert_initial(const Subtree& subtree, const Reversal& v, Initial initial) {
  const std::lock_guard lock(mutex_);
  const SearchTree::Node& node = tree_[subtree.nodes[v.at]];
  const LabelledStep* const chosen = initial_to_plan(v.sequence, initial, [&](const Step& step) {
    const auto is_it = [&](const LabelledStep& known) { return known.step == step; };
    return std::any_of(node.sleep.begin(), node.sleep.end(), is_it) || tree_.trees().has(node.planned, step);
  });
  if (chosen != nullptr) tree_.append(subtree.nodes[v.at], *chosen);
  if (idle_ != 0 && tree_.has_waiting()) changed_.notify_one();
  return Planned::Settled;
}

void Frontier::hand_over(Subtree& subtree, const HandedOver& all) {
  const std::lock_guard lock(mutex_);
  SearchTree::Index node = subtree.nodes.back();
  const SearchTree::Index held = node;
  for (const HandedOver::Level& level : all.levels) {
    MZ_INVARIANT(tree_[node].sleep.size() + level.done.size() == level.asleep, "the same steps sleep");
    for (const LabelledStep& done : level.done) tree_.add_done(node, done);
    if (!level.planned.empty()) tree_.plan(node, level.planned);
    node = tree_.begin(node, level.next, level.executed);
    subtree.nodes.push_back(node);
  }
  tree_.hold(node);
  tree_.let_go(held);
  changed_.notify_all();
}

void Frontier::mark_executed(const Subtree& subtree, std::size_t length, bool fatal) {
  const std::lock_guard lock(mutex_);
  if (fatal && length > 0) tree_.mark_fatal(subtree.nodes[length]);
  tree_.mark_seen(subtree.nodes.back());
  if (idle_ != 0) changed_.notify_all();
}

void Frontier::stop() {
  stops_ = true;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

}  // namespace mazurka::dpor

#include "stateful/first_sets.hpp"

#include <algorithm>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::stateful {

using network::ActionId;
using network::ComponentId;
using network::LocationId;
using network::Offer;
using network::StateId;

FirstSets::FirstSets(const network::Product& product, FirstSetLimits limits)
    : product_(&product), states_(product.layout().words()) {
  if (!explore(limits.max_states)) return;
  first_.resize(states_.size());
  std::uint64_t total = 0;
  for (StateId s : postorder()) {
    std::vector<SetId>& first = first_[s];
    if (successors(s).empty()) {
      first.push_back(intern({}));
      ++terminal_;
    }
    for (const Successor& successor : successors(s))
      for (SetId rest : first_[successor.target]) first.push_back(before(successor.action, rest));
    std::sort(first.begin(), first.end());
    first.erase(std::unique(first.begin(), first.end()), first.end());
    first.shrink_to_fit();
    total += first.size();
    if (total > limits.max_sets || interrupted()) return;
  }
  complete_ = true;
}

bool FirstSets::explore(std::uint64_t max_states) {
  auto successor = product_->initial();
  states_.insert(successor.data());
  for (StateId s = 0; s < states_.size(); ++s) {
    if (states_.size() > max_states || interrupted()) return false;
    product_->for_each_enabled(states_[s], [&](const network::Transition& transition) {
      std::copy_n(states_[s], successor.size(), successor.data());
      transition.apply(successor.data());
      successors_.push_back({transition.action, states_.insert(successor.data()).id});
    });
    successors_begin_.push_back(successors_.size());
  }
  return true;
}

std::vector<StateId> FirstSets::postorder() const {
  struct Frame {
    StateId state;
    std::size_t next;
  };
  std::vector<StateId> order;
  std::vector<bool> seen(states_.size(), false);
  std::vector<Frame> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    if (stack.back().next == successors(stack.back().state).size()) {
      order.push_back(stack.back().state);
      stack.pop_back();
      continue;
    }
    const StateId target = successors(stack.back().state)[stack.back().next++].target;
    if (seen[target]) continue;
    seen[target] = true;
    stack.push_back({target, 0});
  }
  return order;
}

FirstSets::SetId FirstSets::intern(Set set) {
  const auto [entry, fresh] = ids_.try_emplace(std::move(set), static_cast<SetId>(sets_.size()));
  if (fresh) sets_.push_back(&entry->first);
  return entry->second;
}

FirstSets::SetId FirstSets::before(ActionId a, SetId rest) {
  const auto [entry, fresh] = before_.try_emplace({a, rest}, 0);
  if (!fresh) return entry->second;
  Set set = *sets_[rest];
  std::erase_if(set, [&](ActionId b) { return product_->network().dependent(a, b); });
  set.insert(std::lower_bound(set.begin(), set.end(), a), a);
  return entry->second = intern(std::move(set));
}

std::span<const FirstSets::SetId> FirstSets::of(const std::uint64_t* state) const {
  const StateId s = find(state);
  MZ_INVARIANT(s != network::kNoState, "every state of a reduced graph is reachable");
  return first_[s];
}

}  // namespace mazurka::stateful

#include "stateful/ifs.hpp"

#include <string_view>

namespace mazurka::stateful {

using network::ActionId;
using network::ComponentId;
using network::LocationId;
using network::Transition;

std::size_t Ifs::Hash::operator()(const std::vector<Word>& key) const {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(key.data()), key.size() * sizeof(Word)});
}

bool Ifs::test(const std::uint64_t* state, const std::vector<Word>& b) {
  std::vector<Word> asleep(b.size());
  product_->for_each_enabled(state, [&](const Transition& transition) {
    if (!has_bit(b.data(), transition.action)) set_bit(asleep.data(), transition.action);
  });
  return search({state, state + product_->layout().words()}, asleep);
}

bool Ifs::search(const std::vector<std::uint64_t>& state, const std::vector<Word>& asleep) {
  std::vector<Word> key = state;
  key.insert(key.end(), asleep.begin(), asleep.end());
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  std::vector<ActionId> enabled;
  product_->for_each_enabled(state.data(), [&](const Transition& transition) { enabled.push_back(transition.action); });
  bool found = enabled.empty();
  for (ActionId a : enabled) {
    if (found) break;
    if (has_bit(asleep.data(), a)) continue;
    auto next = state;
    product_->take(next.data(), a);
    auto rest = asleep;
    for (ActionId d : enabled)
      if (product_->network().dependent(a, d)) clear_bit(rest.data(), d);
    found = search(next, rest);
  }
  known_.emplace(std::move(key), found);
  return found;
}

}  // namespace mazurka::stateful

#include "stateful/choose_action.hpp"

#include <algorithm>

namespace mazurka::stateful {

void ChooseAction::sort(const View& view, std::span<ActionId> actions) {
  if (actions.size() < 2) return;
  ranked_.clear();
  for (ActionId b : actions) {
    const Pifs::Answer answer = pifs_->test_one(view, b);
    ranked_.push_back({answer.wraps ? UINT32_MAX : answer.size, b});
  }
  std::stable_sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) { return a.rank > b.rank; });
  std::transform(ranked_.begin(), ranked_.end(), actions.begin(), [](const Ranked& r) { return r.action; });
}

}  // namespace mazurka::stateful

#include "dpor/tasks.hpp"

#include <algorithm>

namespace mazurka::dpor {

void TaskQueue::add(Task::Kind kind, const Target& target, EventIndex avoided, EventIndex observer,
                    std::uint32_t open) {
  constexpr std::size_t kMost = 1U << 16;  // a long execution may have more races than there is memory
  if (tasks_.size() == kMost) {
    in_order_ = false;
    perform_all();
  }
  tasks_.push_back({kind, target, avoided, observer, kNoTask, open});
}

void TaskQueue::perform_all() {
  first_.assign(length_, kNoTask);
  EventIndex longest = 0;
  for (auto i = static_cast<std::uint32_t>(tasks_.size()); i-- > 0;) {
    const EventIndex at = tasks_[i].at();
    tasks_[i].next = first_[at];
    first_[at] = i;
    longest = std::max(longest, at);
  }
  std::size_t left = tasks_.size();
  for (EventIndex at = longest; left > 0 && !poll_.stopped(); --at) {
    if (first_[at] == kNoTask) continue;
    for (std::uint32_t i = first_[at]; i != kNoTask && !poll_.stopped(); i = tasks_[i].next, --left)
      perform_(tasks_[i]);
    if (left > 0 && in_order_ && !poll_.stopped()) reached_(at);
  }
  tasks_.clear();
}

}  // namespace mazurka::dpor

#include "core/happens_before.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/invariant.hpp"

namespace mazurka {

void HappensBefore::truncate(std::size_t length) {
  while (events_.size() > length) {
    history_[events_.back().process].pop_back();
    events_.pop_back();
  }
  clocks_.resize(events_.size() * width_);
}

void HappensBefore::assign(const std::vector<Event>& events) {
  truncate(0);
  for (const Event& event : events) append(event);
}

void HappensBefore::widen(std::size_t processes) {
  const std::size_t width = std::max(processes, width_ * 2);
  std::vector<std::uint32_t> clocks(events_.size() * width, 0);
  for (std::size_t i = 0; i < events_.size(); ++i) std::copy_n(clock(i), width_, clocks.data() + i * width);
  clocks_ = std::move(clocks);
  width_ = width;
  history_.resize(width);
}

void HappensBefore::append(const Event& event) {
  const ProcessIndex process = event.process;
  if (process >= width_) widen(std::size_t{process} + 1);
  const std::size_t index = events_.size();
  events_.push_back({event.operation, process, static_cast<std::uint32_t>(history_[process].size() + 1)});
  clocks_.resize(events_.size() * width_, 0);
  std::uint32_t* mine = clocks_.data() + index * width_;
  if (!history_[process].empty()) std::copy_n(clock(history_[process].back()), width_, mine);
  mine[process] = events_[index].position;
  // Backwards: an event that is already covered, or whose clock a later one brought in, costs one comparison.
  for (std::size_t i = index; i-- > 0;) {
    const Entry& other = events_[i];
    if (mine[other.process] >= other.position || !dependent(other.operation, event.operation)) continue;
    const std::uint32_t* theirs = clock(i);
    for (std::size_t p = 0; p < width_; ++p) mine[p] = std::max(mine[p], theirs[p]);
  }
  history_[process].push_back(static_cast<EventIndex>(index));
  MZ_INVARIANT(mine[process] == events_[index].position, "happens-before is irreflexive");
}

}  // namespace mazurka

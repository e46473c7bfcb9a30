#include "dpor/search.hpp"

#include <algorithm>
#include <utility>

namespace mazurka::dpor {

void Search::keep(SearchState& state) {
  const std::lock_guard lock(mutex);
  for (const Counted& one : counted) {
    state.statistics.add(one.statistics);
    state.skipped += one.skipped;
  }
  state.awaited = awaited.all();
  options.keeper->keep(state);
}

std::optional<SearchPath::Prefix> LocalCoordinator::take() {
  std::optional<Frontier::Subtree> taken = search_.frontier.take();
  if (!taken) return std::nullopt;
  return add(std::move(*taken));
}

SearchPath::Prefix LocalCoordinator::add(Frontier::Subtree taken) {
  numbers_.push_back(taken_++);
  return std::move(subtrees_.emplace_back(std::move(taken)).prefix);
}

std::optional<SearchPath::Prefix> LocalCoordinator::try_take(bool& over) {
  std::optional<Frontier::Subtree> taken = search_.frontier.try_take(over);
  const bool was_idle = std::exchange(is_idle_, !taken && !over && subtrees_.empty());
  if (is_idle_ && !was_idle) search_.frontier.begin_idling();
  if (was_idle && !is_idle_) search_.frontier.end_idling();
  if (!taken) return std::nullopt;
  return add(std::move(*taken));
}

void LocalCoordinator::give_back(std::uint64_t first, std::uint64_t end) {
  // Those at the end may have been taken since.
  const auto begin = std::lower_bound(numbers_.begin(), numbers_.end(), first);
  const auto last = std::lower_bound(begin, numbers_.end(), end);
  for (auto i = begin; i != last; ++i)
    search_.frontier.give_back(subtrees_[static_cast<std::size_t>(i - numbers_.begin())]);
  subtrees_.erase(subtrees_.begin() + (begin - numbers_.begin()), subtrees_.begin() + (last - numbers_.begin()));
  numbers_.erase(begin, last);
}

void LocalCoordinator::finish(const Counted& counted) {
  tell(counted);  // before: nobody waits for whoever has nothing to do
  search_.frontier.finish(subtrees_.front());
  subtrees_.pop_front();
  numbers_.pop_front();
}

Planned LocalCoordinator::insert(Reversal& v) {
  return search_.options.algorithm == Algorithm::Source
             ? search_.frontier.insert_initial(subtrees_.front(), v, search_.options.initial)
             : search_.frontier.insert(subtrees_.front(), v);
}

void LocalCoordinator::rest(const Counted& counted) {
  tell(counted);
  search_.frontier.meet([this](SearchState& state) { search_.keep(state); });
}

void LocalCoordinator::begin_rest(const Counted& counted) {
  tell(counted);
  meeting_ = search_.frontier.arrive(subtrees_.size());
}

bool LocalCoordinator::is_resting() {
  if (meeting_ && search_.frontier.try_meet(*meeting_, [this](SearchState& state) { search_.keep(state); }))
    meeting_.reset();
  return meeting_.has_value();
}

void LocalCoordinator::begin_anew(const Awaited& awaited) {
  const std::lock_guard lock(search_.mutex);
  search_.awaited.add(awaited);
  search_.begins_anew = true;
}

void LocalCoordinator::tell(const Counted& counted) {
  const std::lock_guard lock(search_.mutex);
  search_.counted[number_] = counted;
}

}  // namespace mazurka::dpor

#include "unfolding/exact_states.hpp"

#include <algorithm>
#include <utility>

namespace mazurka::unfolding {

ExactStates::ExactStates() {
  // Number 1 is the initial state, without differences.
  states_.resize(2);
  states_[1].is_used = true;
  by_hash_.emplace(StateHash{}, 1);
}

void ExactStates::normalise(Differences& differences) {
  std::sort(differences.begin(), differences.end(),
            [](const StateDifference& a, const StateDifference& b) { return a.place < b.place; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < differences.size();) {
    StateDifference sum = differences[i];
    for (++i; i < differences.size() && differences[i].place == sum.place; ++i) sum.bits ^= differences[i].bits;
    if (sum.bits != 0) differences[kept++] = sum;
  }
  differences.resize(kept);
}

void ExactStates::set_differences(EventId e, std::span<const StateDifference> differences) {
  sum_.assign(differences.begin(), differences.end());
  normalise(sum_);
  if (ranges_.size() <= e) ranges_.resize(e + 1);
  ranges_[e] = {all_.size(), sum_.size()};
  for (const StateDifference& each : sum_) all_.push_back(each);
  measure();
}

bool ExactStates::has_differences(EventId e, std::span<const StateDifference> differences) {
  sum_.assign(differences.begin(), differences.end());
  normalise(sum_);
  const Range range = ranges_[e];
  return std::equal(sum_.begin(), sum_.end(), all_.data() + range.begin, all_.data() + range.begin + range.count);
}

void ExactStates::add(EventId e) {
  const Range range = ranges_[e];
  sum_.insert(sum_.end(), all_.data() + range.begin, all_.data() + range.begin + range.count);
}

StateNumber ExactStates::end(const StateHash& hash) {
  normalise(sum_);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto i = begin; i != end; ++i)
    if (states_[i->second].differences == sum_) return i->second;
  collisions_ += begin != end ? 1 : 0;
  StateNumber number = 0;
  if (free_.empty()) {
    number = static_cast<StateNumber>(states_.size());
    states_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  states_[number] = {hash, sum_, true};
  bytes_ += sizeof(State) + sum_.size() * sizeof(StateDifference);
  by_hash_.emplace(hash, number);
  measure();
  return number;
}

void ExactStates::adopt(ExactStates& other) {
  states_ = std::move(other.states_);
  free_ = std::move(other.free_);
  by_hash_ = std::move(other.by_hash_);
  bytes_ = other.bytes_;
  collisions_ = other.collisions_;
  peak_bytes_ = other.peak_bytes_;
}

void ExactStates::renumber(const std::vector<EventId>& renumbered) {
  std::size_t events = 0;
  for (std::size_t e = 0; e < ranges_.size(); ++e)
    if (renumbered[e] != kNoEvent) ranges_[events++] = ranges_[e];
  ranges_.resize(events);
  // In memory order, so that moving them down overwrites nothing still needed.
  std::vector<Range*> in_place;
  for (Range& range : ranges_) in_place.push_back(&range);
  std::sort(in_place.begin(), in_place.end(), [](const Range* a, const Range* b) { return a->begin < b->begin; });
  std::size_t end = 0;
  for (Range* range : in_place) {
    std::copy_n(all_.data() + range->begin, range->count, all_.data() + end);
    range->begin = end;
    end += range->count;
  }
  all_.resize(end);
}

void ExactStates::forget(const std::vector<char>& used) {
  for (StateNumber number = 2; number < states_.size(); ++number) {
    State& state = states_[number];
    if (!state.is_used || used[number] != 0) continue;
    const auto [begin, end] = by_hash_.equal_range(state.hash);
    by_hash_.erase(std::find_if(begin, end, [&](const auto& entry) { return entry.second == number; }));
    bytes_ -= sizeof(State) + state.differences.size() * sizeof(StateDifference);
    state = {};
    free_.push_back(number);
  }
}

void ExactStates::measure() {
  peak_bytes_ = std::max<std::uint64_t>(peak_bytes_, bytes_ + all_.size() * sizeof(StateDifference));
}

}  // namespace mazurka::unfolding

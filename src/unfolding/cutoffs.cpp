#include "unfolding/cutoffs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/invariant.hpp"

namespace mazurka::unfolding {

StateHash Cutoffs::shortened(StateHash hash) const {
  const auto mask = [](unsigned bits) { return bits >= 64 ? ~0ULL : (1ULL << bits) - 1; };
  hash.words[0] &= mask(options_.hash_bits);
  hash.words[1] &= mask(options_.hash_bits > 64 ? options_.hash_bits - 64 : 0);
  return hash;
}

void Cutoffs::judge(EventId e, const Configuration& c, const StateHash& delta,
                    std::span<const StateDifference> differences) {
  if (records_.size() < events_.size()) records_.resize(events_.size());
  Record record;
  record.delta = record.state = delta;
  if (options_.exact) {
    exact_.set_differences(e, differences);
    exact_.begin();
    exact_.add(e);
  }
  shapes_.begin();
  for (std::size_t i = 0; i < c.size(); ++i) {
    const EventId cause = c[i];
    if (!events_.before_in_configuration(cause, e)) continue;
    MZ_INVARIANT(records_[cause].status == Status::Kept, "nothing follows a cutoff");
    record.state ^= records_[cause].delta;
    if (options_.exact) exact_.add(cause);
    shapes_.add(cause);
  }
  shapes_.add(e);
  const Shape& shape = shapes_.end();
  record.size = shape.size;
  record.state = shortened(record.state);
  if (options_.exact) record.number = exact_.end(record.state);
  const Key key{record.state, record.number};
  const auto found = smallest_.find(key);
  const bool has_smaller = found != smallest_.end() && smaller(found->second.shape, shape);
  const bool is_too_large = !has_smaller && shape.size > largest_;
  limited_ = limited_ || is_too_large;
  record.status = has_smaller || is_too_large ? Status::Cutoff : Status::Kept;
  records_[e] = record;
  if (has_smaller) {
    ++statistics_.cutoffs;
    statistics_.cache_hits += found->second.event == kNoEvent ? 1 : 0;
  } else if (!is_too_large) {
    remember(e, key, shape);
  }
}

void Cutoffs::judge_end(EventId e, bool failed) {
  if (records_.size() < events_.size()) records_.resize(events_.size());
  records_[e] = {};
  records_[e].status = failed ? Status::Failed : Status::Last;
  if (options_.exact) exact_.set_differences(e, {});
}

StateHash Cutoffs::state_of(const Configuration& c) const {
  StateHash state;
  for (std::size_t i = 0; i < c.size(); ++i) state ^= records_[c[i]].delta;
  return state;
}

CutoffStatistics Cutoffs::statistics() const {
  CutoffStatistics result = statistics_;
  result.collisions = exact_.collisions();
  result.bytes = exact_.peak_bytes();
  return result;
}

void Cutoffs::remember(EventId e, const Key& state, const Shape& shape) {
  const auto [place, is_new] = smallest_.try_emplace(state, Smallest{shape, e});
  statistics_.states += is_new ? 1 : 0;
  if (is_new || !smaller(shape, place->second.shape)) return;
  forgotten_ -= place->second.event == kNoEvent ? 1 : 0;
  place->second = {shape, e};
}

void Cutoffs::adopt(Cutoffs& other) {
  smallest_ = std::move(other.smallest_);
  shapes_.adopt(other.shapes_);
  exact_.adopt(other.exact_);
  for (auto& [state, smallest] : smallest_)
    if (smallest.event != kInitial) smallest.event = kNoEvent;
  forgotten_ = smallest_.size() - 1;
  shrink_cache();
}

void Cutoffs::renumber(const std::vector<EventId>& renumbered) {
  forgotten_ = 0;
  for (auto& [state, smallest] : smallest_) {
    if (smallest.event < renumbered.size()) smallest.event = renumbered[smallest.event];
    forgotten_ += smallest.event == kNoEvent ? 1 : 0;
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < records_.size(); ++e)
    if (renumbered[e] != kNoEvent) records_[kept++] = records_[e];
  records_.resize(kept);
  if (options_.exact) exact_.renumber(renumbered);
  shrink_cache();
  forget_states();
}

void Cutoffs::shrink_cache() {
  if (forgotten_ <= options_.cache) return;
  ++statistics_.emptied;
  std::vector<std::uint32_t> sizes;
  for (const auto& [state, smallest] : smallest_)
    if (smallest.event == kNoEvent) sizes.push_back(smallest.shape.size);
  const auto bound = sizes.begin() + static_cast<std::ptrdiff_t>(options_.cache);
  std::nth_element(sizes.begin(), bound, sizes.end());
  // All smaller than *bound stay: there is room for them, and perhaps for some of that size.
  const std::uint32_t first_dropped = *bound;
  auto room = std::count(sizes.begin(), bound, first_dropped);
  std::erase_if(smallest_, [&](const auto& entry) {
    const Smallest& smallest = entry.second;
    if (smallest.event != kNoEvent || smallest.shape.size < first_dropped) return false;
    return smallest.shape.size > first_dropped || room-- <= 0;
  });
  forgotten_ = options_.cache;
  // Events of U that lead to the same states have replaced them as the smallest. Only their sizes are known.
  Shape shape;
  for (std::size_t e = 0; e < records_.size(); ++e) {
    if (records_[e].status != Status::Kept) continue;
    shape.size = records_[e].size;
    remember(static_cast<EventId>(e), {records_[e].state, records_[e].number}, shape);
  }
}

void Cutoffs::forget_states() {
  if (!options_.exact) return;
  std::vector<char> used(exact_.numbers(), 0);
  for (const Record& record : records_) used[record.number] = 1;
  for (const auto& [state, smallest] : smallest_) used[state.number] = 1;
  exact_.forget(used);
}

}  // namespace mazurka::unfolding

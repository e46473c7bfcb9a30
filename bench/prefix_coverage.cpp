#include "bench/prefix_coverage.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/interrupt.hpp"
#include "prefix/prefix_writers.hpp"

namespace mazurka::bench {

bool events_are_distinct_and_possible(const prefix::Prefix& prefix) {
  std::set<std::vector<std::uint32_t>> known;
  std::vector<std::uint32_t> consumed_by(prefix.conditions(), 0);  // the event whose causes were looked at last
  std::vector<std::uint32_t> seen(prefix.events().size(), 0);
  std::vector<prefix::EventId> causes;
  for (prefix::EventId event = 1; event < prefix.events().size(); ++event) {
    std::vector<std::uint32_t> key{prefix.events()[event].label};
    causes.assign(1, event);
    for (std::size_t i = 0; i < causes.size(); ++i) {
      bool free = true;
      prefix.for_each_input(causes[i], [&](prefix::ConditionId c, bool consumed) {
        if (i == 0) key.push_back(c);
        if (consumed) free = free && std::exchange(consumed_by[c], event) != event;
        const prefix::EventId producer = prefix.producer(c);
        if (producer == 0 || std::exchange(seen[producer], event) == event) return;
        causes.push_back(producer);
      });
      if (!free) return false;
    }
    if (!known.insert(std::move(key)).second) return false;
  }
  return true;
}

PrefixCoverage::PrefixCoverage(const prefix::Prefix& prefix, const net::ReachabilityGraph& graph)
    : prefix_(prefix),
      graph_(graph),
      occurrence_(prefix::occurrence_net(prefix, false)),
      markings_(net::words_for(prefix.net().places().size())),
      marked_(occurrence_.places().size()),
      marking_(net::words_for(prefix.net().places().size())),
      produced_(occurrence_.places().size(), 0),
      read_(occurrence_.places().size(), 0) {
  for (const net::Transition& event : occurrence_.transitions()) {
    const auto number = std::stoul(event.name.substr(event.name.rfind('#') + 1));
    labels_.push_back(prefix.events()[number].label);
  }
}

bool PrefixCoverage::complete() {
  next_ = occurrence_.initial();
  std::sort(next_.begin(), next_.end());
  std::fill(marking_.begin(), marking_.end(), net::Word{0});
  for (const net::PlaceId c : next_) net::put(marking_, prefix_.place_of(c));
  if (!graph_.markings().contains(marking_)) return false;
  markings_.insert(marking_);
  kept_.push_back({0, 0, 0, 0});
  cuts_ = next_;
  // Markings are numbered by the size of their least configuration; a number is expanded when all of its size are
  // known.
  for (std::uint32_t number = 0; number < kept_.size(); ++number)
    if (interrupted() || !expand(number)) return false;
  return kept_.size() == graph_.markings().size();
}

bool PrefixCoverage::expand(std::uint32_t number) {
  const std::size_t begin = kept_[number].cut;
  const auto marking = markings_[number];
  std::size_t length = 0;
  for (const net::Word word : marking) length += static_cast<std::size_t>(__builtin_popcountll(word));
  cut_.assign(cuts_.begin() + static_cast<std::ptrdiff_t>(begin),
              cuts_.begin() + static_cast<std::ptrdiff_t>(begin + length));
  for (const net::PlaceId c : cut_) marked_[c] = true;
  bool sound = true;
  for (const net::PlaceId c : cut_)
    for (const net::TransitionId t : occurrence_.place(c).consumers)
      if (sound && occurrence_.transition(t).pre.front() == c && enabled(occurrence_.transition(t)))
        sound = reach(number, t);
  for (const net::PlaceId c : cut_) marked_[c] = false;
  return sound;
}

bool PrefixCoverage::enabled(const net::Transition& event) const {
  const auto marked = [&](net::PlaceId c) { return marked_[c]; };
  return std::all_of(event.pre.begin(), event.pre.end(), marked) &&
         std::all_of(event.context.begin(), event.context.end(), marked);
}

/// The configuration kept for `parent` and then `event`. False where its marking is not reachable in the net.
bool PrefixCoverage::reach(std::uint32_t parent, net::TransitionId event) {
  const net::Transition& t = occurrence_.transition(event);
  next_.clear();
  std::set_difference(cut_.begin(), cut_.end(), t.pre.begin(), t.pre.end(), std::back_inserter(next_));
  next_.insert(next_.end(), t.post.begin(), t.post.end());
  std::sort(next_.begin(), next_.end());
  std::fill(marking_.begin(), marking_.end(), net::Word{0});
  for (const net::PlaceId c : next_) net::put(marking_, prefix_.place_of(c));
  if (!graph_.markings().contains(marking_)) return false;
  const auto [number, fresh] = markings_.insert(marking_);
  const std::uint32_t size = kept_[parent].size + 1;
  if (fresh) {
    kept_.push_back({parent, event, size, cuts_.size()});
    cuts_.insert(cuts_.end(), next_.begin(), next_.end());
  } else if (kept_[number].size == size && smaller(parent, event, kept_[number])) {
    kept_[number].parent = parent;
    kept_[number].event = event;
    std::copy(next_.begin(), next_.end(), cuts_.begin() + static_cast<std::ptrdiff_t>(kept_[number].cut));
  }
  return true;
}

/// The events of a configuration with their levels in its Foata normal form.
void PrefixCoverage::load(std::uint32_t parent, net::TransitionId event, std::vector<Labelled>& word) {
  sequence_.assign(1, event);
  for (std::uint32_t at = parent; at != 0; at = kept_[at].parent) sequence_.push_back(kept_[at].event);
  std::reverse(sequence_.begin(), sequence_.end());
  word.clear();
  for (const net::TransitionId t : sequence_) {
    const net::Transition& e = occurrence_.transition(t);
    std::uint32_t level = 0;
    for (const net::PlaceId c : e.pre) level = std::max({level, produced_[c], read_[c]});
    for (const net::PlaceId c : e.context) level = std::max(level, produced_[c]);
    ++level;
    for (const net::PlaceId c : e.context) read_[c] = std::max(read_[c], level);
    for (const net::PlaceId c : e.post) produced_[c] = level;
    word.push_back({level, labels_[t]});
  }
  for (const net::TransitionId t : sequence_) {
    for (const net::PlaceId c : occurrence_.transition(t).context) read_[c] = 0;
    for (const net::PlaceId c : occurrence_.transition(t).post) produced_[c] = 0;
  }
}

/// Whether one configuration is smaller than another of the same size: by the words of their labels, then by the Foata
/// normal forms, level by level, the size of a level before its content.
bool PrefixCoverage::smaller(std::uint32_t parent, net::TransitionId event, const Kept& than) {
  if (parent == than.parent && event == than.event) return false;
  load(parent, event, left_);
  load(than.parent, than.event, right_);
  const auto by_label = [](const Labelled& a, const Labelled& b) { return a.label < b.label; };
  std::sort(left_.begin(), left_.end(), by_label);
  std::sort(right_.begin(), right_.end(), by_label);
  for (std::size_t i = 0; i < left_.size(); ++i)
    if (left_[i].label != right_[i].label) return left_[i].label < right_[i].label;
  std::sort(left_.begin(), left_.end());
  std::sort(right_.begin(), right_.end());
  for (std::size_t start = 0; start < left_.size();) {
    const auto end_of_level = [&](const std::vector<Labelled>& word) {
      std::size_t end = start;
      while (end < word.size() && word[end].level == left_[start].level) ++end;
      return end;
    };
    const std::size_t end = end_of_level(left_);
    if (end != end_of_level(right_)) return end < end_of_level(right_);
    for (; start < end; ++start)
      if (left_[start].label != right_[start].label) return left_[start].label < right_[start].label;
  }
  return false;
}

}  // namespace mazurka::bench

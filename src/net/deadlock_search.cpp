#include "net/deadlock_search.hpp"

#include <algorithm>

namespace mazurka::net {
namespace {

constexpr std::uint32_t kMostTokens = 1U << 30;
constexpr std::size_t kMostSeeds = 8;  // closures compared per marking

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The hash of a place with this many tokens. The hash of a marking is the sum over its places.
std::pair<std::uint64_t, std::uint64_t> hash_of(PlaceId place, std::uint32_t tokens) {
  const std::uint64_t both = std::uint64_t{place} << 32 | tokens;
  return {mix(both + 0x9e3779b97f4a7c15ULL), mix(mix(both ^ 0xd1b54a32d192ed03ULL) + 0x8cb92ba72f3d8dd7ULL)};
}

}  // namespace

DeadlockSearch::Hash& DeadlockSearch::HashSet::slot_of(const Hash& hash) {
  std::size_t at = hash.first & (slots_.size() - 1);
  while (slots_[at] != Hash{} && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

bool DeadlockSearch::HashSet::insert(const Hash& hash) {
  const Hash stored = hash == Hash{} ? Hash{1, 0} : hash;
  Hash& slot = slot_of(stored);
  if (slot == stored) return false;
  slot = stored;
  if (++size_ * 2 > slots_.size()) {
    std::vector<Hash> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Hash& known : old)
      if (known != Hash{}) slot_of(known) = known;
  }
  return true;
}

DeadlockSearch::DeadlockSearch(WeightedNet net, IsDeadlock is_deadlock)
    : DeadlockSearch(std::move(net), std::move(is_deadlock), Limits{}) {}

DeadlockSearch::DeadlockSearch(WeightedNet net, IsDeadlock is_deadlock, Limits limits)
    : net_(std::move(net)),
      is_deadlock_(std::move(is_deadlock)),
      limits_(limits),
      needed_by_(net_.initial.size()),
      givers_(net_.initial.size()),
      takers_(net_.initial.size()),
      loses_(net_.transitions.size()),
      tokens_(net_.initial.size(), 0),
      lacking_(net_.transitions.size()),
      place_in_enabled_(net_.transitions.size()),
      included_(net_.transitions.size(), 0) {
  for (TransitionId t = 0; t < net_.transitions.size(); ++t) {
    const WeightedNet::Transition& transition = net_.transitions[t];
    lacking_[t] = static_cast<std::uint32_t>(transition.inputs.size());
    if (lacking_[t] == 0) {
      place_in_enabled_[t] = static_cast<std::uint32_t>(enabled_.size());
      enabled_.push_back(t);
    }
    const auto gives = [&](PlaceId p) {
      for (const WeightedNet::Output& output : transition.outputs)
        if (output.place == p) return output.gives;
      return 0U;
    };
    const auto takes = [&](PlaceId p) {
      for (const WeightedNet::Input& input : transition.inputs)
        if (input.place == p) return input.takes;
      return 0U;
    };
    for (const WeightedNet::Input& input : transition.inputs) {
      needed_by_[input.place].push_back({t, input.needs});
      if (input.takes > gives(input.place)) {
        takers_[input.place].push_back(t);
        loses_[t].push_back(input.place);
      }
    }
    for (const WeightedNet::Output& output : transition.outputs)
      if (output.gives > takes(output.place)) givers_[output.place].push_back(t);
  }
  for (PlaceId p = 0; p < net_.initial.size(); ++p) set_tokens(p, net_.initial[p]);
  enter(0);
}

void DeadlockSearch::set_tokens(PlaceId place, std::uint32_t tokens) {
  const std::uint32_t before = std::exchange(tokens_[place], tokens);
  if (before == tokens) return;
  const auto old_hash = hash_of(place, before);
  const auto new_hash = hash_of(place, tokens);
  hash_.first += new_hash.first - old_hash.first;
  hash_.second += new_hash.second - old_hash.second;
  for (const auto& [transition, needs] : needed_by_[place]) {
    const bool was = before >= needs;
    const bool is = tokens >= needs;
    if (was == is) continue;
    if (is && --lacking_[transition] == 0) {
      place_in_enabled_[transition] = static_cast<std::uint32_t>(enabled_.size());
      enabled_.push_back(transition);
    } else if (was && lacking_[transition]++ == 0) {
      const std::uint32_t at = place_in_enabled_[transition];
      enabled_[at] = enabled_.back();
      place_in_enabled_[enabled_[at]] = at;
      enabled_.pop_back();
    }
  }
}

/// Fires the transition. Returns false, and changes nothing, if a place would overflow.
bool DeadlockSearch::fire(TransitionId transition) {
  for (const auto& [place, gives] : net_.transitions[transition].outputs)
    if (tokens_[place] >= kMostTokens || gives >= kMostTokens) return false;
  for (const auto& input : net_.transitions[transition].inputs)
    set_tokens(input.place, tokens_[input.place] - input.takes);
  for (const auto& [place, gives] : net_.transitions[transition].outputs) set_tokens(place, tokens_[place] + gives);
  ++edges_;
  return true;
}

void DeadlockSearch::unfire(TransitionId transition) {
  for (const auto& [place, gives] : net_.transitions[transition].outputs) set_tokens(place, tokens_[place] - gives);
  for (const auto& input : net_.transitions[transition].inputs)
    set_tokens(input.place, tokens_[input.place] + input.takes);
}

bool DeadlockSearch::enter(TransitionId by) {
  if (!seen_.insert(hash_)) return false;
  const auto begin = static_cast<std::uint32_t>(choices_.size());
  path_.push_back({by, begin, begin});
  if (!enabled_.empty())
    choose();
  else if (!is_deadlock_ || is_deadlock_(tokens_))
    status_ = Status::Found;
  return true;
}

void DeadlockSearch::leave() {
  choices_.resize(path_.back().begin);
  if (path_.size() > 1) unfire(path_.back().entered_by);
  path_.pop_back();
}

DeadlockSearch::Status DeadlockSearch::run(std::uint64_t steps) {
  for (; steps > 0 && status_ == Status::Running; --steps) {
    if (path_.empty()) {
      status_ = incomplete_ ? Status::GaveUp : Status::Exhausted;
      break;
    }
    if (seen_.size() >= limits_.markings || path_.size() >= limits_.depth) {
      status_ = Status::GaveUp;
      break;
    }
    Level& level = path_.back();
    if (level.next == choices_.size()) {
      leave();
      continue;
    }
    const TransitionId transition = choices_[level.next++];
    if (!fire(transition)) {
      incomplete_ = true;
      continue;
    }
    if (!enter(transition)) unfire(transition);
  }
  return status_;
}

std::vector<TransitionId> DeadlockSearch::path() const {
  std::vector<TransitionId> result;
  for (std::size_t i = 1; i < path_.size(); ++i) result.push_back(path_[i].entered_by);
  return result;
}

void DeadlockSearch::choose() {
  best_.clear();
  std::size_t fewest = SIZE_MAX;
  const std::size_t stride = std::max<std::size_t>(1, enabled_.size() / kMostSeeds);
  for (std::size_t i = 0; i < enabled_.size() && fewest > 1; i += stride) {
    const std::size_t count = close(enabled_[i], fewest);
    if (count >= fewest) continue;
    fewest = count;
    best_.clear();
    for (const TransitionId t : members_)
      if (is_enabled(t)) best_.push_back(t);
  }
  choices_.insert(choices_.end(), best_.begin(), best_.end());
}

std::size_t DeadlockSearch::close(TransitionId seed, std::size_t most) {
  if (++closure_ == 0) {
    std::fill(included_.begin(), included_.end(), 0);
    closure_ = 1;
  }
  members_.clear();
  include(seed);
  std::size_t count = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const TransitionId transition = members_[i];
    if (!is_enabled(transition)) {
      close_disabled(transition);
    } else {
      if (++count >= most) return count;
      close_enabled(transition);
    }
  }
  return count;
}

/// Closure for a disabled transition: it stays disabled until a transition adds tokens to a place that it lacks.
void DeadlockSearch::close_disabled(TransitionId transition) {
  PlaceId scapegoat = 0;
  std::size_t fewest = SIZE_MAX;
  for (const WeightedNet::Input& input : net_.transitions[transition].inputs) {
    if (tokens_[input.place] >= input.needs || givers_[input.place].size() >= fewest) continue;
    scapegoat = input.place;
    fewest = givers_[input.place].size();
  }
  for (const TransitionId giver : givers_[scapegoat]) include(giver);
}

/// Closure for an enabled transition: no transition outside the set disables it or is disabled by it.
void DeadlockSearch::close_enabled(TransitionId transition) {
  for (const WeightedNet::Input& input : net_.transitions[transition].inputs)
    for (const TransitionId taker : takers_[input.place]) include(taker);
  for (const PlaceId place : loses_[transition])
    for (const Need& need : needed_by_[place]) include(need.transition);
}

void DeadlockSearch::include(TransitionId transition) {
  if (included_[transition] == closure_) return;
  included_[transition] = closure_;
  members_.push_back(transition);
}

}  // namespace mazurka::net

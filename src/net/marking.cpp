#include "net/marking.hpp"

#include <algorithm>

#include <xxhash.h>

namespace mazurka::net {

std::uint64_t hash_marking(std::span<const Word> marking) { return XXH3_64bits(marking.data(), marking.size_bytes()); }

Simulator::Simulator(const Net& net) : net_(net), initial_(words_for(net.places().size())) {
  for (PlaceId p : net.initial()) put(initial_, p);
}

bool Simulator::enabled(std::span<const Word> marking, TransitionId transition) const {
  const Transition& t = net_.transition(transition);
  const auto marked = [&](PlaceId p) { return holds(marking, p); };
  return std::all_of(t.pre.begin(), t.pre.end(), marked) && std::all_of(t.context.begin(), t.context.end(), marked);
}

bool Simulator::deadlocked(std::span<const Word> marking) const {
  for (TransitionId t = 0; t < net_.transitions().size(); ++t)
    if (enabled(marking, t)) return false;
  return true;
}

std::optional<Overflow> Simulator::fire(std::span<Word> marking, TransitionId transition) const {
  const Transition& t = net_.transition(transition);
  for (PlaceId p : t.pre) take(marking, p);
  for (PlaceId p : t.post) {
    if (holds(marking, p)) return Overflow{p};
    put(marking, p);
  }
  return std::nullopt;
}

std::optional<std::vector<Word>> Simulator::replay(std::span<const TransitionId> sequence) const {
  std::vector<Word> marking = initial_;
  for (TransitionId t : sequence) {
    if (!enabled(marking, t)) return std::nullopt;
    if (fire(marking, t)) return std::nullopt;
  }
  return marking;
}

}  // namespace mazurka::net

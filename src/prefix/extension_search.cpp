#include "prefix/extension_search.hpp"

#include <algorithm>

namespace mazurka::prefix {

ExtensionSearch::ExtensionSearch(const Prefix& prefix, const Concurrency& concurrency, Found found)
    : prefix_(prefix),
      concurrency_(concurrency),
      found_(std::move(found)),
      reads_(prefix.net().has_reads()),
      neighbours_(prefix.net().transitions().size() + 1),
      bindings_(prefix.net().places().size()) {
  // One level of the search per input, plus one; not resized while there are references into them.
  std::size_t depth = 2;
  for (const net::Transition& t : prefix.net().transitions())
    depth = std::max(depth, t.pre.size() + t.context.size() + 2);
  levels_.resize(depth);
  pools_.resize(depth);
}

const ExtensionSearch::Neighbours& ExtensionSearch::neighbours(EventId event) {
  const net::Net& net = prefix_.net();
  Neighbours& around = event == 0 ? neighbours_.back() : neighbours_[prefix_.events()[event].label];
  if (around.known) return around;
  around.known = true;
  auto& transitions = around.transitions;
  const auto add = [&](const std::vector<TransitionId>& list) {
    transitions.insert(transitions.end(), list.begin(), list.end());
  };
  for (PlaceId p : prefix_.postset_labels(event)) {
    add(net.place(p).consumers);
    add(net.place(p).readers);
  }
  if (event != 0)
    for (PlaceId p : prefix_.label(event).context) add(net.place(p).consumers);
  const auto sort_unique = [](std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    list.shrink_to_fit();
  };
  sort_unique(transitions);
  for (TransitionId t : transitions) {
    around.places.insert(around.places.end(), net.transition(t).pre.begin(), net.transition(t).pre.end());
    around.places.insert(around.places.end(), net.transition(t).context.begin(), net.transition(t).context.end());
  }
  sort_unique(around.places);
  return around;
}

std::optional<Clash> ExtensionSearch::run(HistoryId history, const Frontier& frontier) {
  const EventId event = prefix_.histories()[history].event;
  const Neighbours& around = neighbours(event);
  for (PlaceId p : around.places) bindings_[p].wanted = true;
  bind_new(event, frontier);
  const std::optional<Clash> clash = sort_candidates(history, frontier);
  if (!clash)
    for (TransitionId t : around.transitions) try_transition(t);
  const auto reset = [&](PlaceId p) {
    Binding& binding = bindings_[p];
    binding.consumable.clear();
    binding.readable.clear();
    binding.wanted = binding.produced = binding.read = false;
  };
  for (PlaceId p : around.places) reset(p);
  for (PlaceId p : prefix_.postset_labels(event)) reset(p);
  return clash;
}

void ExtensionSearch::bind_new(EventId event, const Frontier& frontier) {
  const auto produced = prefix_.postset_labels(event);
  for (std::size_t i = 0; i < produced.size(); ++i) {
    Binding& binding = bindings_[produced[i]];
    binding.produced = true;
    binding.consumable.push_back(frontier.first + static_cast<EnrichedId>(i));
    binding.readable.push_back(frontier.first + static_cast<EnrichedId>(i));
  }
  if (event == 0) return;
  for (PlaceId p : prefix_.label(event).context)
    if (bindings_[p].wanted) bindings_[p].read = true;
  for (EnrichedId r = frontier.first_reading; r < frontier.end; ++r) {
    Binding& binding = bindings_[prefix_.enriched()[r].place];
    if (!binding.produced) binding.consumable.push_back(r);
  }
}

/// Distributes the concurrent enriched conditions over the places that matter. An outdated one may be read but not
/// consumed.
std::optional<Clash> ExtensionSearch::sort_candidates(HistoryId history, const Frontier& frontier) {
  auto outdated = frontier.outdated.begin();
  for (const Block& block : frontier.concurrent) {
    while (outdated != frontier.outdated.end() && outdated->key < block.key) ++outdated;
    const std::uint32_t old = outdated != frontier.outdated.end() && outdated->key == block.key ? outdated->mask : 0;
    for (std::uint32_t mask = block.mask; mask != 0; mask &= mask - 1) {
      const auto r = block.key * kBlockBits + static_cast<std::uint32_t>(std::countr_zero(mask));
      const Enriched& enriched = prefix_.enriched()[r];
      Binding& binding = bindings_[enriched.place];
      if (binding.produced) return Clash{r, history};
      if (!binding.wanted) continue;
      if (!reads_) {
        binding.consumable.push_back(r);
        continue;
      }
      if (!binding.read && (old & mask & -mask) == 0) binding.consumable.push_back(r);
      if (enriched.generating()) binding.readable.push_back(r);
    }
  }
  return std::nullopt;
}

void ExtensionSearch::try_transition(TransitionId transition) {
  const net::Transition& t = prefix_.net().transition(transition);
  // Most transitions are rejected here, because some place has no candidate.
  for (PlaceId p : t.pre)
    if (bindings_[p].consumable.empty()) return;
  for (PlaceId p : t.context)
    if (bindings_[p].readable.empty()) return;
  std::vector<Slot>& slots = levels_[0];
  slots.clear();
  chosen_.resize(t.pre.size() + t.context.size());
  std::uint32_t position = 0;
  for (PlaceId p : t.pre) {
    const Binding& binding = bindings_[p];
    if (binding.produced)
      chosen_[position] = binding.consumable.front();
    else
      slots.push_back({position, true, binding.consumable});
    ++position;
  }
  for (PlaceId p : t.context) {
    const Binding& binding = bindings_[p];
    if (binding.produced)
      chosen_[position] = binding.readable.front();
    else
      slots.push_back({position, false, binding.readable});
    ++position;
  }
  search(transition, 0, slots.size());
}

bool ExtensionSearch::compatible(EnrichedId x, bool x_consumed, EnrichedId y, bool y_consumed) const {
  if (!concurrency_.concurrent(x, y)) return false;
  if (!reads_) return true;
  return (!x_consumed || !concurrency_.stale(x, y)) && (!y_consumed || !concurrency_.stale(y, x));
}

void ExtensionSearch::search(TransitionId transition, std::size_t depth, std::size_t open) {
  if (open == 0) {
    found_(transition, chosen_);
    return;
  }
  std::vector<Slot>& slots = levels_[depth];
  std::size_t smallest = 0;
  for (std::size_t i = 1; i < open; ++i)
    if (slots[i].candidates.size() < slots[smallest].candidates.size()) smallest = i;
  std::swap(slots[smallest], slots[open - 1]);
  const Slot slot = slots[open - 1];
  for (EnrichedId x : slot.candidates) {
    chosen_[slot.position] = x;
    if (open == 1) {
      found_(transition, chosen_);
      continue;
    }
    std::vector<Slot>& below = levels_[depth + 1];
    std::vector<EnrichedId>& pool = pools_[depth + 1];
    std::size_t room = 0;
    for (std::size_t i = 0; i + 1 < open; ++i) room += slots[i].candidates.size();
    pool.clear();
    pool.reserve(room);
    below.clear();
    bool possible = true;
    for (std::size_t i = 0; i + 1 < open && possible; ++i) {
      const std::size_t start = pool.size();
      for (EnrichedId y : slots[i].candidates)
        if (compatible(x, slot.consumed, y, slots[i].consumed)) pool.push_back(y);
      possible = pool.size() > start;
      below.push_back({slots[i].position, slots[i].consumed, {pool.data() + start, pool.size() - start}});
    }
    if (possible) search(transition, depth + 1, open - 1);
  }
}

}  // namespace mazurka::prefix

#include "prefix/concurrency.hpp"

namespace mazurka::prefix {
namespace {

void drop_empty(BlockVector& set) {
  std::erase_if(set, [](const Block& block) { return block.mask == 0; });
}

/// Calls `visit` for each block of the elements first … end-1.
template <typename Visit>
void for_each_block(std::uint32_t first, std::uint32_t end, Visit&& visit) {
  while (first < end) {
    const std::uint32_t key = key_of(first);
    std::uint32_t mask = 0;
    for (; first < end && key_of(first) == key; ++first) mask |= bit_of(first);
    visit(Block{key, mask});
  }
}

}  // namespace

const Frontier& Concurrency::add(HistoryId history) {
  own_.clear();
  compute_concurrent(history);
  before_.clear();
  frontier_.outdated.clear();
  if (reads_) compute_outdated(history);
  add_generating(history);
  frontier_.first_reading = frontier_.end = static_cast<EnrichedId>(prefix_.enriched().size());
  if (!before_.empty()) add_reading(history);
  relate_to_older();
  relate_siblings();
  return frontier_;
}

/// The first three conjuncts of Theorem 17: concurrent to every consumed and read condition, and not consumed itself.
void Concurrency::compute_concurrent(HistoryId history) {
  const auto links = prefix_.links(history);
  const std::size_t consumed = prefix_.consumed_count(history);
  BlockVector& set = frontier_.concurrent;
  set.clear();
  if (links.empty()) return;
  std::size_t smallest = 0;
  for (std::size_t i = 1; i < links.size(); ++i)
    if (concurrent_.blocks(links[i]) < concurrent_.blocks(links[smallest])) smallest = i;
  concurrent_.copy_to(links[smallest], set);
  for (std::size_t i = 0; i < links.size(); ++i)
    if (i != smallest) concurrent_.intersect(set, links[i], scratch_);
  if (!reads_) return;
  bool pick = links.size() > consumed;
  for (std::size_t i = 0; i < consumed; ++i) {
    if (!is_read(prefix_.enriched()[links[i]].place)) continue;
    pick = true;
    if (!stale_.empty(links[i])) stale_.subtract(set, links[i]);
  }
  if (pick) pick_own(history);
  drop_empty(set);
}

/// Drops the enriched conditions of consumed conditions, and collects those of read ones. In a 1-safe net the place
/// identifies them: an enriched condition of the same place that is concurrent to the inputs belongs to the same
/// condition.
void Concurrency::pick_own(HistoryId history) {
  const net::Transition& transition = prefix_.label(prefix_.histories()[history].event);
  for (PlaceId p : transition.pre) role_[p] = Role::Consumed;
  for (PlaceId p : transition.context) role_[p] = Role::Read;
  for (Block& block : frontier_.concurrent) {
    for (std::uint32_t mask = block.mask; mask != 0; mask &= mask - 1) {
      const auto r = block.key * kBlockBits + static_cast<std::uint32_t>(std::countr_zero(mask));
      const Role role = role_[places_[r]];
      if (role == Role::Consumed) block.mask &= ~(mask & -mask);
      if (role == Role::Read) own_.push_back(r);
    }
  }
  for (PlaceId p : transition.pre) role_[p] = Role::None;
  for (PlaceId p : transition.context) role_[p] = Role::None;
}

/// Finds the older enriched conditions that lack a reader which the history contains. Before the new event itself
/// counts as a reader, this also tells which enriched conditions of its context it can extend as the next reader: those
/// that know all earlier readers.
void Concurrency::compute_outdated(HistoryId history) {
  const BlockVector& set = frontier_.concurrent;
  marked_.resize(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) marked_[i] = {set[i].key, 0};
  for (EnrichedId link : prefix_.links(history))
    if (!outdates_.empty(link)) outdates_.mark(set, link, marked_);
  std::size_t at = 0;
  for (EnrichedId r : own_) {
    while (set[at].key < key_of(r)) ++at;
    if ((marked_[at].mask & bit_of(r)) == 0 && is_consumed(places_[r])) before_.push_back(r);
    marked_[at].mask |= bit_of(r);
  }
  drop_empty(marked_);
  frontier_.outdated = marked_;
}

void Concurrency::add_generating(HistoryId history) {
  const EventId event = prefix_.histories()[history].event;
  const auto places = prefix_.postset_labels(event);
  frontier_.first = static_cast<EnrichedId>(prefix_.enriched().size());
  const BlockSpan base = places.empty() ? BlockSpan{} : concurrent_.store(frontier_.concurrent);
  const BlockSpan outdated = places.empty() ? BlockSpan{} : outdates_.store(frontier_.outdated);
  for (std::size_t i = 0; i < places.size(); ++i) {
    prefix_.add_enriched(prefix_.events()[event].first_condition + static_cast<ConditionId>(i), places[i], history,
                         kNoId);
    places_.push_back(places[i]);
    concurrent_.add_row(base);
    if (!reads_) continue;
    stale_.add_row({});
    outdates_.add_row(outdated);
  }
}

void Concurrency::add_reading(HistoryId history) {
  for (EnrichedId before : before_) add_reading(history, before);
  frontier_.end = static_cast<EnrichedId>(prefix_.enriched().size());
}

/// ⟨c, H ∪ H'⟩ where H is the new history and `before` is ⟨c, H'⟩. An older enriched condition is concurrent to the
/// union if it is concurrent to both. `before` knows all readers of c in H but the new event, so the union is stale to
/// the same ones as `before`.
void Concurrency::add_reading(HistoryId history, EnrichedId before) {
  const Enriched& old = prefix_.enriched()[before];
  places_.push_back(old.place);
  prefix_.add_enriched(old.condition, old.place, history, before);
  set_ = frontier_.concurrent;
  concurrent_.intersect(set_, before, scratch_);
  concurrent_.add_row(concurrent_.store(set_));

  const auto restart = [&] {
    marked_.resize(set_.size());
    for (std::size_t i = 0; i < set_.size(); ++i) marked_[i] = {set_[i].key, 0};
  };
  restart();
  stale_.mark(set_, before, marked_);
  drop_empty(marked_);
  stale_.add_row(stale_.store(marked_));

  restart();
  outdates_.mark(set_, before, marked_);
  for (std::size_t i = 0, j = 0; i < set_.size() && j < frontier_.outdated.size();) {
    if (set_[i].key < frontier_.outdated[j].key) {
      ++i;
    } else if (set_[i].key > frontier_.outdated[j].key) {
      ++j;
    } else {
      marked_[i].mask |= set_[i].mask & frontier_.outdated[j].mask;
      ++i;
      ++j;
    }
  }
  drop_empty(marked_);
  outdates_.add_row(outdates_.store(marked_));
}

void Concurrency::relate_to_older() {
  for_each_block(frontier_.first, frontier_.first_reading, [&](Block block) {
    for_each(frontier_.concurrent, [&](EnrichedId old) { concurrent_.append(old, block); });
    for_each(frontier_.outdated, [&](EnrichedId old) { stale_.append(old, block); });
  });
  for (EnrichedId r = frontier_.first_reading; r < frontier_.end; ++r) {
    const Block block{key_of(r), bit_of(r)};
    for_each(concurrent_.base(r), [&](EnrichedId old) { concurrent_.append(old, block); });
    for_each(stale_.base(r), [&](EnrichedId old) { outdates_.append(old, block); });
    for_each(outdates_.base(r), [&](EnrichedId old) { stale_.append(old, block); });
  }
}

void Concurrency::relate_siblings() {
  const EnrichedId first = frontier_.first;
  const EnrichedId first_reading = frontier_.first_reading;
  const EnrichedId end = frontier_.end;
  for (EnrichedId x = first; x < first_reading; ++x) {
    for_each_block(first, end, [&](Block block) {
      if (block.key == key_of(x) && !is_read(prefix_.enriched()[x].place)) block.mask &= ~bit_of(x);
      if (block.mask != 0) concurrent_.append(x, block);
    });
  }
  for (EnrichedId x = first_reading; x < end; ++x) {
    for_each_block(first, first_reading, [&](Block block) { concurrent_.append(x, block); });
    for (EnrichedId y = first_reading; y < end; ++y) {
      if (x == y || !concurrent(x, y)) continue;
      const Block block{key_of(y), bit_of(y)};
      concurrent_.append(x, block);
      if (stale(x, y)) stale_.append(x, block);
      if (stale(y, x)) outdates_.append(x, block);
    }
  }
}

bool Concurrency::concurrent(EnrichedId x, EnrichedId y) const {
  for (;;) {
    const Enriched& a = prefix_.enriched()[x];
    const Enriched& b = prefix_.enriched()[y];
    if (a.history != b.history) return x > y ? concurrent_.base_contains(x, y) : concurrent_.base_contains(y, x);
    if (a.generating() || b.generating() || x == y) return true;
    // Two reading ones of one history: the union with either is concurrent to the other if their predecessors are.
    x = a.previous;
    y = b.previous;
  }
}

bool Concurrency::stale(EnrichedId x, EnrichedId y) const {
  for (;;) {
    const Enriched& a = prefix_.enriched()[x];
    const Enriched& b = prefix_.enriched()[y];
    if (a.history != b.history) return x > y ? stale_.base_contains(x, y) : outdates_.base_contains(y, x);
    if (a.generating() || b.generating() || x == y) return false;
    x = a.previous;
    y = b.previous;
  }
}

}  // namespace mazurka::prefix

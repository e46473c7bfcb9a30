#include "dpor/observed.hpp"

#include <algorithm>

namespace mazurka::dpor {

std::size_t Observations::update(const std::vector<Event>& events, std::size_t known) {
  truncate(std::min(known, entries_.size()));
  for (auto i = static_cast<EventIndex>(entries_.size()); i < events.size(); ++i) append(events, i);
  std::size_t same = known;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const bool is_observed = entry.first_observer != kNoEvent;
    if (i < same && entry.contended && entry.was_observed != is_observed) same = i;
    entry.was_observed = is_observed;
  }
  return same;
}

void Observations::truncate(std::size_t length) {
  while (entries_.size() > length) {
    const Entry& last = entries_.back();
    for (const EventIndex store : std::span(log_).subspan(last.log_begin))
      if (entries_[store].first_observer + 1 == entries_.size()) entries_[store].first_observer = kNoEvent;
    log_.resize(last.log_begin);
    if (last.store) chains_.pop(last.chain);
    entries_.pop_back();
  }
}

void Observations::append(const std::vector<Event>& events, EventIndex i) {
  const Operation& operation = events[i].operation;
  Entry& entry = entries_.emplace_back();
  entry.log_begin = static_cast<std::uint32_t>(log_.size());
  if (interferes_with_everything(operation)) {
    for (ObjectChains::ChainIndex chain = 0; chain < chain_count_; ++chain) observe(events, chain, i);
    return;
  }
  if (!lies_in_memory(family(operation.kind))) return;
  chains_.find(operation, set_);
  for (const ObjectChains::ChainIndex chain : set_.related) chain_count_ = std::max(chain_count_, chain + 1);
  if (operation.kind == OperationKind::Store) {
    // Only stores are on chains, so a chain has the stores to certain bytes.
    entry.store = true;
    entry.chain = set_.own[0];
    const auto& earlier = chains_.events(entry.chain);
    entry.contended =
        !earlier.empty() && (entries_[earlier.back()].contended || events[earlier.back()].process != events[i].process);
    chains_.push(entry.chain, i, operation);
  } else {
    for (const ObjectChains::ChainIndex chain : set_.related) observe(events, chain, i);
  }
}

/// `reader` reads the last store of the chain.
void Observations::observe(const std::vector<Event>& events, ObjectChains::ChainIndex chain, EventIndex reader) {
  const auto& stores = chains_.events(chain);
  if (stores.empty() || !observes(events[reader].operation, events[stores.back()].operation)) return;
  EventIndex& first = entries_[stores.back()].first_observer;
  if (first == kNoEvent) first = reader;
  log_.push_back(stores.back());
}

void Observations::collect_observers(const std::vector<Event>& events, EventIndex i,
                                     std::vector<EventIndex>& observers) {
  observers.clear();
  if (entries_[i].first_observer == kNoEvent) return;
  for (EventIndex z = entries_[i].first_observer; z < events.size(); ++z) {
    const Fate fate = fate_of(events[i].operation, events[z].operation);
    if (fate == Fate::Overwritten) return;
    if (fate == Fate::Observed) observers.push_back(z);
  }
}

}  // namespace mazurka::dpor

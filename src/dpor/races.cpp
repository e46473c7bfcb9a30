#include "dpor/races.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::dpor {
namespace {

using enum OperationKind;

}  // namespace

void RaceFinder::find() {
  constexpr std::size_t kBatch = 1024;  // events per unit of polling
  const auto& events = trace_.events();
  const std::size_t known = trace_.known();
  const std::size_t shared = trace_.shared();
  for (EventIndex i = 0; i < events.size() && !poll_.stopped(); ++i) {
    if (i % kBatch == kBatch - 1) poll_.spend(kBatch);
    if (i >= known) races_of(i);
    if (events[i].offers_count != 0) others(i, known);
    if (!trace_.observes_stores()) continue;
    // A new read decides about the order of the stores before it.
    for (const EventIndex store : trace_.observations().observed_by(i))
      if (i >= shared || store >= known) add_observed_races(store, i);
    if (trace_.deliveries().taken_by(i) != kNoEvent) add_races_of_deliveries(i);
  }
  for (const Offer& offer : trace_.execution().pending) {
    if (poll_.stopped()) break;
    if (!offer.stopped) add_races(trace_.at_end(offer));
  }
}

/// An executed step races only with earlier events.
void RaceFinder::races_of(EventIndex event) {
  const Target target = trace_.before(event);
  const Operation& operation = *target.operation;
  const auto chains = trace_.order().chains_of(event);
  const auto add_race = [&](EventIndex e) {
    if (trace_.observes_stores() && needs_observer(trace_.events()[e].operation, operation)) return;
    if (possible_race(target, e)) queue_.add(Task::Kind::Race, target, e);
  };
  if (trace_.order().world().empty() && (chains.empty() || races_with_nothing(operation.kind, chains))) return;
  // An access or a delivery is always enabled, so only its direct dependences need to be examined.
  const bool is_access = family(operation.kind) == Family::Memory && never_blocks(operation.kind);
  if ((is_access || operation.kind == MailboxSend) && chains.size() == 1 &&
      trace_.order().chains().uniform(chains[0]) && trace_.order().world().empty()) {
    for (const EventIndex e : trace_.order().direct(event)) add_race(e);
  } else {
    collect(operation, chains, event);
    for (const EventIndex e : collected_) add_race(e);
  }
}

/// Races of a store with others to the same bytes, which are ordered because it is observed.
void RaceFinder::add_observed_races(EventIndex second, EventIndex observer) {
  const Target target = trace_.before(second);
  for (const EventIndex e : trace_.order().direct(second))
    if (needs_observer(trace_.events()[e].operation, *target.operation) &&
        (target.last == kNoEvent || !trace_.follows(target.last, e)))
      queue_.add(Task::Kind::Stores, target, e, observer);
}

/// Races of a delivery with later ones that the receive would have taken instead.
void RaceFinder::add_races_of_deliveries(EventIndex receive) {
  const auto& events = trace_.events();
  const Deliveries& deliveries = trace_.deliveries();
  const EventIndex first = deliveries.taken_by(receive);
  for (EventIndex second = deliveries.last(events[first].operation); second != first;
       second = deliveries.previous(second)) {
    if ((receive < trace_.shared() && second < trace_.known()) || !deliveries.ordered(events, first, second)) continue;
    const Target target = trace_.before(second);
    const auto direct = trace_.order().direct(second);
    if (needs_observer(events[first].operation, *target.operation) && events[first].process != target.process &&
        std::find(direct.begin(), direct.end(), first) != direct.end() &&
        (target.last == kNoEvent || !trace_.follows(target.last, first)))
      queue_.add(Task::Kind::Stores, target, first, receive);
  }
}

/// Whether it is clear without examining the events on its object that the operation could not have come earlier.
bool RaceFinder::races_with_nothing(OperationKind kind, std::span<const ObjectChains::ChainIndex> chains) const {
  static_assert((racing_kinds(ThreadCreate) | racing_kinds(ThreadStart) | racing_kinds(ThreadExit)) == 0);
  if (kind == ThreadCreate || kind == ThreadStart || kind == ThreadExit) return true;
  constexpr std::size_t kLife = 4;  // creation, start, end and one join
  if (kind == ThreadJoin) return trace_.order().chains().events(chains[0]).size() <= kLife;
  if (kind != MutexUnlock) return false;
  constexpr KindSet kRivals = racing_kinds(MutexUnlock);
  return std::none_of(chains.begin(), chains.end(), [this](ObjectChains::ChainIndex chain) {
    return trace_.order().chains().seen_any(chain, kRivals);
  });
}

/// Other alternatives that the process had instead of `event`, or could have later.
void RaceFinder::others(EventIndex event, std::size_t known) {
  const Event& e = trace_.events()[event];
  Target target = trace_.before(event);
  target.taken = false;
  for (const Offer& offer : trace_.execution().offers_of(e)) {
    if (offer.alternative == e.alternative || poll_.stopped()) continue;
    target.operation = &offer.operation;
    target.alternative = offer.alternative;
    if (offer.operation.kind == Choose || offer.operation.kind == AtomicSection) {
      if (event >= known) queue_.add(Task::Kind::Choice, target, kNoEvent);
      if (offer.operation.kind == AtomicSection) return;  // one alternative leads to all the others
      continue;
    }
    add_races(target);
    queue_.add(Task::Kind::Other, target, kNoEvent);  // perhaps disabled there, but enabled at the end
  }
}

/// Races of a step that was not taken.
void RaceFinder::add_races(const Target& target) {
  if (has_unknown_footprint(*target.operation)) {
    // The operations of a section are known only after it was executed: here only the step that ended the execution
    // matters.
    const auto last = static_cast<EventIndex>(trace_.size() - 1);
    if (target.next == kNoEvent && !trace_.events().empty() && possible_race(target, last))
      queue_.add(Task::Kind::Race, target, last);
    return;
  }
  trace_.order().chains().find(*target.operation, set_);
  collect(*target.operation, set_.related, trace_.size());
  for (const EventIndex e : collected_)
    if (possible_race(target, e)) queue_.add(Task::Kind::Race, target, e);
}

/// Collects the events before `end` that may interfere with the operation, which acts on these chains.
void RaceFinder::collect(const Operation& operation, std::span<const ObjectChains::ChainIndex> chains,
                         std::size_t end) {
  collected_.clear();
  const auto& events = trace_.events();
  const auto add = [&](EventIndex e) {
    if (e < end) collected_.push_back(e);
  };
  if (interferes_with_everything(operation)) {
    for (EventIndex e = 0; e < end; ++e) add(e);
    return;
  }
  for (const ObjectChains::ChainIndex chain : chains) {
    const auto& on_chain = trace_.order().chains().events(chain);
    std::size_t first = 0;
    if (is_plain_lock(operation)) {
      // A lock races with the last acquisition before it; races with earlier ones are found from that one.
      first = static_cast<std::size_t>(std::lower_bound(on_chain.begin(), on_chain.end(), end) - on_chain.begin());
      while (first > 0 && !acquires_mutex(events[on_chain[first - 1]].operation)) --first;
      if (first > 0) --first;
      for (std::size_t i = 0; i < first && trace_.order().chains().seen_any(chain, set_of(AtomicSection)); ++i)
        if (family(events[on_chain[i]].operation.kind) == Family::Section) add(on_chain[i]);
    }
    for (std::size_t i = first; i < on_chain.size(); ++i) add(on_chain[i]);
    poll_.spend(on_chain.size() - first);
  }
  for (const EventIndex e : trace_.order().world()) add(e);
  if (chains.size() > 1 || !trace_.order().world().empty()) {
    std::sort(collected_.begin(), collected_.end());
    collected_.erase(std::unique(collected_.begin(), collected_.end()), collected_.end());
  }
}

bool RaceFinder::possible_race(const Target& target, EventIndex event) const {
  const Event& e = trace_.events()[event];
  return e.process != target.process && relation(e.operation, *target.operation) == Relation::Racing &&
         (target.last == kNoEvent || !trace_.follows(target.last, event));  // otherwise e is a cause of the target
}

}  // namespace mazurka::dpor

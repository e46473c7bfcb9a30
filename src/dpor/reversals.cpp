#include "dpor/reversals.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::dpor {
namespace {

using enum OperationKind;

constexpr std::size_t kBatch = 1024;  // events that count as work together

}  // namespace

bool ReversalFinder::find(const Execution& execution, std::size_t known, const GoOn& go_on) {
  execution_ = &execution;
  diverged_.reset();
  poll_.begin(go_on);
  const auto& events = execution.events;
  const std::size_t shared = known;
  if (observed_) known = observations_.update(events, known);
  order_.truncate(std::min(known, order_.size()));
  for (std::size_t i = order_.size(); i < events.size(); ++i) {
    if (i % kBatch == kBatch - 1 && !poll_.spend(kBatch)) return false;
    order_.append(events[i], observed_ && observations_.unobserved(i));
  }

  fatal_ = execution.fatal() ? static_cast<EventIndex>(events.size() - 1) : kNone;
  in_order_ = true;
  std::erase_if(open_, [&](const Open& open) {
    return open.second >= known || (open.observer != kNone && open.observer >= shared);
  });
  for (std::size_t i = 0, count = open_.size(); i < count; ++i) {
    if (!poll_.spend(events.size() - open_[i].second)) break;
    if (still_redundant(open_[i])) continue;
    Target target = taken(open_[i].second);
    target.alternative = open_[i].alternative;
    add_task(open_[i].observer != kNone ? Task::Kind::StoresAgain : Task::Kind::Again, target, open_[i].first,
             open_[i].observer);
  }
  for (EventIndex i = 0; i < events.size() && !over(); ++i) {
    if (i % kBatch == kBatch - 1) poll_.spend(kBatch);
    if (i >= known) races_of(i);
    if (events[i].offers_count != 0) others(i, known);
    if (observed_)  // who reads what was stored before decides about the order of stores
      for (const EventIndex store : observations_.observed_by(i))
        if (i >= shared || store >= known) add_observed_races(store, i);
  }
  for (const Offer& offer : execution.pending) {
    if (over()) break;
    const auto history = order_.history(offer.process);
    const Target target{
        offer.process, history.empty() ? kNone : history.back(), kNone, &offer.operation, offer.alternative, false};
    add_races(target);
  }
  perform_tasks();
  return !poll_.stopped();
}

void ReversalFinder::add_task(Task::Kind kind, const Target& target, EventIndex avoided, EventIndex observer) {
  constexpr std::size_t kMost = 1U << 16;  // a long execution may have more races than there is memory
  if (tasks_.size() == kMost) {
    in_order_ = false;
    perform_tasks();
  }
  tasks_.push_back({kind, target, avoided, observer, kNone});
}

/// With what may interfere with a step that was not taken.
void ReversalFinder::add_races(const Target& target) {
  if (has_unknown_footprint(*target.operation)) {
    // What a section would have done is seen when it is done: here only the step matters that ended the execution.
    const auto last = static_cast<EventIndex>(execution_->events.size() - 1);
    if (target.next == kNone && !execution_->events.empty() && possible_race(target, last))
      add_task(Task::Kind::Race, target, last);
    return;
  }
  order_.chains().find(*target.operation, set_);
  collect(*target.operation, set_.related, execution_->events.size());
  for (const EventIndex e : collected_)
    if (possible_race(target, e)) add_task(Task::Kind::Race, target, e);
}

/// Those after long prefixes come first: an explorer goes on with the longest that has something new.
void ReversalFinder::perform_tasks() {
  first_task_.assign(execution_->events.size(), kNone);
  EventIndex longest = 0;
  for (auto i = static_cast<std::uint32_t>(tasks_.size()); i-- > 0;) {
    const EventIndex at = tasks_[i].at();
    tasks_[i].next = first_task_[at];
    first_task_[at] = i;
    longest = std::max(longest, at);
  }
  std::size_t left = tasks_.size();
  for (EventIndex at = longest; left > 0 && !over(); --at) {
    if (first_task_[at] == kNone) continue;
    for (std::uint32_t i = first_task_[at]; i != kNone && !over(); i = tasks_[i].next, --left) perform(tasks_[i]);
    if (left > 0 && in_order_ && !over()) reached_(at);
  }
  tasks_.clear();
}

void ReversalFinder::perform(const Task& task) {
  const std::size_t all = execution_->events.size();
  switch (task.kind) {
    case Task::Kind::Race: race(task.target, task.avoided); break;
    case Task::Kind::Stores:
      ++races_;
      if (observed_race(task, task.observer) == Planned::Settled) break;
      keep_open(task.target, task.avoided, task.observer);
      observed_race(task, all);
      break;
    case Task::Kind::StoresAgain: observed_race(task, all); break;
    case Task::Kind::Choice:
      if (choose(task.target, task.target.next) == Planned::Settled) break;
      keep_open(task.target, kNone);
      if (!still_redundant(open_.back())) choose(task.target, all);
      break;
    case Task::Kind::Other: candidate(task.target, kNone, all); break;
    case Task::Kind::Again:
      if (task.avoided == kNone)
        choose(task.target, all);
      else
        candidate(task.target, task.avoided, all);
      break;
  }
}

ReversalFinder::Target ReversalFinder::taken(EventIndex event) const {
  const Event& e = execution_->events[event];
  const std::uint32_t position = order_.position(event);
  const EventIndex last = position > 1 ? order_.history(e.process)[position - 2] : kNone;
  return {e.process, last, event, &e.operation, e.alternative, true};
}

/// A taken step races only with what came before it.
void ReversalFinder::races_of(EventIndex event) {
  const Target target = taken(event);
  const Operation& operation = *target.operation;
  const auto chains = order_.chains_of(event);
  const auto add_race = [&](EventIndex e) {
    if (observed_ && needs_observer(execution_->events[e].operation, operation)) return;
    if (possible_race(target, e)) add_task(Task::Kind::Race, target, e);
  };
  if (order_.world().empty() && (chains.empty() || races_with_nothing(operation.kind, chains))) return;
  if (family(operation.kind) == Family::Memory && chains.size() == 1 && order_.chains().uniform(chains[0]) &&
      order_.world().empty()) {
    for (const EventIndex e : order_.direct(event)) add_race(e);
  } else {
    collect(operation, chains, event);
    for (const EventIndex e : collected_) add_race(e);
  }
}

/// Races of a store with others to the same bytes, which are ordered because it is observed.
void ReversalFinder::add_observed_races(EventIndex second, EventIndex observer) {
  const Target target = taken(second);
  for (const EventIndex e : order_.direct(second))
    if (needs_observer(execution_->events[e].operation, *target.operation) &&
        (target.last == kNone || !follows(target.last, e)))
      add_task(Task::Kind::Stores, target, e, observer);
}

/// Whether it is known without a look at the events on its object that an operation could not have come earlier.
bool ReversalFinder::races_with_nothing(OperationKind kind, std::span<const ObjectChains::ChainIndex> chains) const {
  static_assert((racing_kinds(ThreadCreate) | racing_kinds(ThreadStart) | racing_kinds(ThreadExit)) == 0);
  if (kind == ThreadCreate || kind == ThreadStart || kind == ThreadExit) return true;
  constexpr std::size_t kLife = 4;  // creation, start, end and one join
  if (kind == ThreadJoin) return order_.chains().events(chains[0]).size() <= kLife;
  if (kind != MutexUnlock) return false;
  constexpr KindSet kRivals = racing_kinds(MutexUnlock);
  return std::none_of(chains.begin(), chains.end(),
                      [this](ObjectChains::ChainIndex chain) { return order_.chains().seen_any(chain, kRivals); });
}

/// What else the process could have done instead of `event`, then or later.
void ReversalFinder::others(EventIndex event, std::size_t known) {
  const Event& e = execution_->events[event];
  Target target = taken(event);
  target.taken = false;
  for (const Offer& offer : execution_->offers_of(e)) {
    if (offer.alternative == e.alternative || over()) continue;
    target.operation = &offer.operation;
    target.alternative = offer.alternative;
    if (offer.operation.kind == Choose || offer.operation.kind == AtomicSection) {
      if (event >= known) add_task(Task::Kind::Choice, target, kNone);
      if (offer.operation.kind == AtomicSection) return;  // one alternative leads to all the others
      continue;
    }
    add_races(target);
    add_task(Task::Kind::Other, target, kNone);  // not possible then, perhaps, but in the end
  }
}

/// Another alternative of a choice, or of a section with choices, which is possible whatever else happens.
Planned ReversalFinder::choose(const Target& target, std::size_t end) {
  excluded_.assign(1, target.next);
  build_history(end);
  if (target.operation->kind == AtomicSection) return run_all_alternatives(target, end);
  return emit(target, *target.operation, target.alternative);
}

/// The events before `end` that may interfere with the operation, which concerns these chains.
void ReversalFinder::collect(const Operation& operation, std::span<const ObjectChains::ChainIndex> chains,
                             std::size_t end) {
  collected_.clear();
  const auto& events = execution_->events;
  const auto add = [&](EventIndex e) {
    if (e < end) collected_.push_back(e);
  };
  if (interferes_with_everything(operation)) {
    for (EventIndex e = 0; e < end; ++e) add(e);
    return;
  }
  for (const ObjectChains::ChainIndex chain : chains) {
    const auto& on_chain = order_.chains().events(chain);
    std::size_t first = 0;
    if (is_plain_lock(operation)) {
      // What a lock waits for is the last acquisition before it; what that one waited for is found with that one.
      first = static_cast<std::size_t>(std::lower_bound(on_chain.begin(), on_chain.end(), end) - on_chain.begin());
      while (first > 0 && !acquires_mutex(events[on_chain[first - 1]].operation)) --first;
      if (first > 0) --first;
      for (std::size_t i = 0; i < first && order_.chains().seen_any(chain, set_of(AtomicSection)); ++i)
        if (family(events[on_chain[i]].operation.kind) == Family::Section) add(on_chain[i]);
    }
    for (std::size_t i = first; i < on_chain.size(); ++i) add(on_chain[i]);
    poll_.spend(on_chain.size() - first);
  }
  for (const EventIndex e : order_.world()) add(e);
  if (chains.size() > 1 || !order_.world().empty()) {
    std::sort(collected_.begin(), collected_.end());
    collected_.erase(std::unique(collected_.begin(), collected_.end()), collected_.end());
  }
}

bool ReversalFinder::possible_race(const Target& target, EventIndex event) const {
  const Event& e = execution_->events[event];
  return e.process != target.process && relation(e.operation, *target.operation) == Relation::Racing &&
         (target.last == kNone || !follows(target.last, event));  // else p got here because of e
}

void ReversalFinder::race(const Target& target, EventIndex avoided) {
  ++races_;
  if (!target.taken) {
    candidate(target, avoided, execution_->events.size());
    return;
  }
  // What happened before the step is often enough to see that its reversal is new, and then all executions with this
  // prefix are served; or that it is not.
  if (candidate(target, avoided, target.next) == Planned::Settled) return;
  keep_open(target, avoided);
  if (!still_redundant(open_.back())) candidate(target, avoided, execution_->events.size());
}

void ReversalFinder::keep_open(const Target& target, EventIndex avoided, EventIndex observer) {
  open_.push_back({avoided, target.next, target.alternative, observer,
                   observer != kNone ? std::optional<LabelledStep>() : reversal_.redundant_by});
}

/// Whether what this execution adds to H after the open race changes nothing: the step that made the reversal redundant
/// commutes with that too.
bool ReversalFinder::still_redundant(const Open& open) const {
  if (!open.redundant_by) return false;
  const LabelledStep& p = *open.redundant_by;
  const auto& events = execution_->events;
  for (EventIndex z = open.second + 1; z < events.size(); ++z) {
    if (z == fatal_ || follows(z, open.second) || (open.first != kNone && follows(z, open.first))) continue;
    if (events[z].process == p.step.process) return events[z].step() == p.step;
    if (dependent(events[z].operation, p.operation)) return false;
  }
  return true;
}

}  // namespace mazurka::dpor

#include "dpor/reversals.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/ticks.hpp"

namespace mazurka::dpor {
namespace {

using enum OperationKind;

/// Whether an operation that can always happen may do something else in another state, so that others depend on it.
bool outcome_varies(OperationKind kind) {
  switch (kind) {
    case CompareExchange:
    case MutexTryLock:
    case TryReadLock:
    case TryWriteLock:
    case SemaphoreTryWait:
    case FutexWait:
    case OnceEnter: return true;
    default: return false;
  }
}

bool acquires_mutex(const Operation& operation) {
  return family(operation.kind) == Family::Mutex && operation.kind != MutexUnlock && !operation.failed();
}

bool plain_lock(const Operation& operation) {
  return operation.kind == MutexLock && (operation.flags & kReacquire) == 0;
}

}  // namespace

bool ReversalFinder::find(const Execution& execution, std::size_t known, const GoOn& go_on) {
  execution_ = &execution;
  diverged_.reset();
  go_on_ = &go_on;
  stopped_ = false;
  const auto& events = execution.events;
  // A later read may order earlier stores: with observers, nothing is known beforehand.
  if (observed_) {
    known = 0;
    observations_.assign(events);
  }
  order_.truncate(std::min(known, order_.size()));
  for (std::size_t i = order_.size(); i < events.size(); ++i)
    order_.append(events[i], observed_ && observations_.unobserved(i));

  fatal_ = execution.fatal() ? static_cast<EventIndex>(events.size() - 1) : kNone;
  in_order_ = true;
  std::erase_if(open_, [&](const Open& open) { return open.second >= known; });
  for (std::size_t i = 0, count = open_.size(); i < count; ++i) {
    if (still_redundant(open_[i])) continue;
    Target target = taken(open_[i].second);
    target.alternative = open_[i].alternative;
    add_task(Task::Kind::Again, target, open_[i].first);
  }
  for (EventIndex i = 0; i < events.size() && !over(); ++i) {
    if (i >= known) races_of(i);
    if (events[i].offers_count != 0) others(i, known);
  }
  for (const Offer& offer : execution.pending) {
    if (over()) break;
    const auto history = order_.history(offer.process);
    const Target target{
        offer.process, history.empty() ? kNone : history.back(), kNone, &offer.operation, offer.alternative, false};
    add_races(target);
  }
  perform_tasks();
  return !stopped_;
}

void ReversalFinder::add_task(Task::Kind kind, const Target& target, EventIndex avoided) {
  constexpr std::size_t kMost = 1U << 16;  // a long execution may have more races than there is memory
  if (tasks_.size() == kMost) {
    in_order_ = false;
    perform_tasks();
  }
  tasks_.push_back({kind, target, avoided, kNone});
}

/// With what may interfere with a step that was not taken.
void ReversalFinder::add_races(const Target& target) {
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
    case Task::Kind::Stores: observed_race(task.avoided, task.target.next); break;
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
  if (order_.world().empty() && (chains.empty() || races_with_nothing(operation.kind, chains[0]))) return;
  if (family(operation.kind) == Family::Memory && chains.size() == 1 && order_.chains().uniform(chains[0]) &&
      order_.world().empty()) {
    for (const EventIndex e : order_.direct(event)) {
      if (observed_ && needs_observer(execution_->events[e].operation, operation))
        add_task(Task::Kind::Stores, target, e);
      else if (possible_race(target, e))
        add_task(Task::Kind::Race, target, e);
    }
    return;
  }
  collect(operation, chains, event);
  for (const EventIndex e : collected_) {
    if (observed_ && needs_observer(execution_->events[e].operation, operation)) {
      const auto direct = order_.direct(event);
      if (std::find(direct.begin(), direct.end(), e) != direct.end()) add_task(Task::Kind::Stores, target, e);
    } else if (possible_race(target, e)) {
      add_task(Task::Kind::Race, target, e);
    }
  }
}

/// Whether it is known without a look at the events on its object that an operation could not have come earlier.
bool ReversalFinder::races_with_nothing(OperationKind kind, ObjectChains::ChainIndex chain) const {
  if (kind == ThreadCreate || kind == ThreadStart || kind == ThreadExit) return true;
  constexpr std::size_t kLife = 4;  // creation, start, end and one join
  if (kind == ThreadJoin) return order_.chains().events(chain).size() <= kLife;
  return kind == MutexUnlock && !order_.chains().seen(chain, MutexTryLock);
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
    if (offer.operation.kind == Choose) {
      if (event >= known) add_task(Task::Kind::Choice, target, kNone);
      continue;
    }
    add_races(target);
    add_task(Task::Kind::Other, target, kNone);  // not possible then, perhaps, but in the end
  }
}

/// Another alternative of a choice, which is possible whatever else happens.
Planned ReversalFinder::choose(const Target& target, std::size_t end) {
  excluded_.assign(1, target.next);
  build_history(end);
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
  if (family(operation.kind) == Family::World) {
    for (EventIndex e = 0; e < end; ++e) add(e);
    return;
  }
  if (family(operation.kind) == Family::Local) return;
  for (const ObjectChains::ChainIndex chain : chains) {
    const auto& on_chain = order_.chains().events(chain);
    std::size_t first = 0;
    if (plain_lock(operation)) {
      // What a lock waits for is the last acquisition before it; what that one waited for is found with that one.
      first = static_cast<std::size_t>(std::lower_bound(on_chain.begin(), on_chain.end(), end) - on_chain.begin());
      while (first > 0 && !acquires_mutex(events[on_chain[first - 1]].operation)) --first;
      if (first > 0) --first;
    }
    for (std::size_t i = first; i < on_chain.size(); ++i) add(on_chain[i]);
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
  if (!target.taken || observed_) {
    candidate(target, avoided, execution_->events.size());
    return;
  }
  // What happened before the step is often enough to see that its reversal is new, and then all executions with this
  // prefix are served; or that it is not.
  if (candidate(target, avoided, target.next) == Planned::Settled) return;
  keep_open(target, avoided);
  if (!still_redundant(open_.back())) candidate(target, avoided, execution_->events.size());
}

void ReversalFinder::keep_open(const Target& target, EventIndex avoided) {
  open_.push_back({avoided, target.next, target.alternative, reversal_.redundant_by});
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

/// Builds H from the first `end` events and, if the target's process can move by its operation after it, the reversal.
Planned ReversalFinder::candidate(const Target& target, EventIndex avoided, std::size_t end) {
  constexpr std::uint64_t kPatience = 256;  // candidates between two questions
  if (++candidates_ % kPatience == 0 && !(*go_on_)()) stopped_ = true;
  if (over()) return Planned::Open;
  excluded_.clear();
  if (avoided != kNone) excluded_.push_back(avoided);
  if (target.next != kNone) excluded_.push_back(target.next);
  build_history(end);
  if (happens_anyway(target, avoided)) return emit(target, *target.operation, target.alternative);
  const Planned planned = probe(target, end);
  reversal_.redundant_by.reset();  // the last of several outcomes says nothing of the others
  return planned;
}

/// H, from the first event that stays away on.
void ReversalFinder::build_history(std::size_t end) {
  const auto& events = execution_->events;
  const std::size_t at = *std::min_element(excluded_.begin(), excluded_.end());
  const std::size_t width = order_.width();
  const std::uint32_t* clock = order_.clock_of(static_cast<EventIndex>(at)).data();
  // What has seen an event that stays away stays away too. Most often there are one or two of these.
  const ProcessIndex first = events[excluded_.front()].process;
  const ProcessIndex last = events[excluded_.back()].process;
  const std::uint32_t first_position = order_.position(excluded_.front());
  const std::uint32_t last_position = order_.position(excluded_.back());
  const auto seen_another = [&](EventIndex z) {
    return std::any_of(excluded_.begin() + 1, excluded_.end() - 1, [&](EventIndex x) { return follows(z, x); });
  };
  const bool more = excluded_.size() > 2;
  reversal_.at = at;
  reversal_.redundant_by.reset();
  reversal_.sequence.resize(end - at);
  inside_.resize(end - at);
  std::size_t count = 0;
  for (auto z = static_cast<EventIndex>(at); z < end; ++z, clock += width) {
    if (clock[first] >= first_position || clock[last] >= last_position || z == fatal_ || (more && seen_another(z)))
      continue;
    inside_[count] = z;
    reversal_.sequence[count++] = {events[z].step(), events[z].operation};
  }
  reversal_.sequence.resize(count);
  inside_.resize(count);
}

/// Whether the target's step is possible after H, and does what it did, without a look.
bool ReversalFinder::happens_anyway(const Target& target, EventIndex avoided) const {
  if (!target.taken || execution_->events[target.next].offers_count != 0) return false;
  const Operation& e = execution_->events[avoided].operation;
  // A lock in place of another acquisition: the mutex was free then.
  if (plain_lock(*target.operation)) return acquires_mutex(e);
  if (!never_blocks(target.operation->kind)) return false;
  if (!outcome_varies(target.operation->kind)) return true;
  // The outcome of a compare-exchange depends on the last write only; that does not follow from a read next to it.
  const auto direct = order_.direct(target.next);
  return target.operation->kind == CompareExchange && family(e.kind) == Family::Memory && !detail::writes(e) &&
         order_.chains_of(target.next).size() == 1 && std::find(direct.begin(), direct.end(), avoided) != direct.end();
}

/// Runs the first `at` events and then `steps`, and stops there: what is possible next? None where that could not be
/// repeated: what is closed under causes is an execution by itself, unless the system is not the same every time.
const Execution* ReversalFinder::ask(std::span<const LabelledStep> steps) {
  prefix_.clear();
  for (std::size_t z = 0; z < reversal_.at; ++z) prefix_.push_back(execution_->events[z].step());
  for (const LabelledStep& step : steps) prefix_.push_back(step.step);
  ++probes_;
  Job job;
  job.prefix = prefix_;
  job.continuation = Continuation::Stop;
  const std::uint64_t start = ticks();
  const Execution& result = executor_.run(job);
  probe_ticks_ += ticks() - start;
  if (result.outcome != Outcome::Diverged) return &result;
  diverged_ = result;
  return nullptr;
}

/// Asks the executor what the target's process can do after H.
Planned ReversalFinder::probe(const Target& target, std::size_t end) {
  for (;;) {
    const Execution* result = ask(reversal_.sequence);
    if (result == nullptr) return Planned::Open;
    offered_.clear();
    for (const Offer& offer : result->pending)
      if (offer.process == target.process && offer.enabled &&
          (offer.alternative == target.alternative || state_decides_alternatives(offer.operation.kind)))
        offered_.push_back(offer);
    if (!offered_.empty() || !drop_remaining_readers(target, end)) break;
  }
  // What the execution did later is independent of the target's step as it took place, and so says nothing new. That is
  // not so for another outcome or another choice.
  Planned planned =
      offered_.size() == 1 && offered_[0].operation == *target.operation ? Planned::Settled : Planned::Open;
  for (const Offer& offer : offered_) {
    build_history(end);  // the one before may have used it up
    if (emit(target, offer.operation, offer.alternative) == Planned::Open) planned = Planned::Open;
  }
  return planned;
}

/// A writer that waits for several readers at once gets in before them only if all of them stay away.
bool ReversalFinder::drop_remaining_readers(const Target& target, std::size_t end) {
  if (target.operation->kind != WriteLock) return false;
  const auto& events = execution_->events;
  const std::size_t before = excluded_.size();
  for (const EventIndex z : inside_) {
    const Operation& operation = events[z].operation;
    if (operation.object != target.operation->object || operation.failed() ||
        (operation.kind != ReadLock && operation.kind != TryReadLock))
      continue;
    const bool released = std::any_of(inside_.begin(), inside_.end(), [&](EventIndex later) {
      return later > z && events[later].process == events[z].process && events[later].operation.kind == ReadUnlock &&
             events[later].operation.object == operation.object;
    });
    if (!released && !(target.last != kNone && follows(target.last, z))) excluded_.push_back(z);
  }
  if (excluded_.size() == before) return false;
  build_history(end);
  return true;
}

/// Visits H and then the target's step.
Planned ReversalFinder::emit(const Target& target, const Operation& operation, std::uint32_t alternative) {
  reversal_.sequence.push_back({{target.process, alternative}, operation});
  return visit_(reversal_);
}

/// Line 8 of Algorithm 1: two stores whose order an observer sees. The first of them, and what follows from it, can
/// happen after the second in the same way, up to the observers.
void ReversalFinder::observed_race(EventIndex first, EventIndex second) {
  if (over()) return;
  const auto& events = execution_->events;
  const auto last = taken(second).last;
  if (last != kNone && follows(last, first)) return;
  const std::span<const EventIndex> observers = observations_.observers(second);
  if (observers.empty()) return;
  ++races_;
  reversal_.at = first;
  reversal_.sequence.clear();
  const auto add = [&](EventIndex z) { reversal_.sequence.push_back({events[z].step(), events[z].operation}); };
  for (EventIndex z = first; z < events.size(); ++z)  // notdep(e, E)
    if (!follows(z, first)) add(z);
  add(second);
  add(first);
  for (EventIndex z = first; z < events.size(); ++z)  // notobs(e, e', E) \ e'
    if (z != first && z != second && follows(z, first) &&
        std::none_of(observers.begin(), observers.end(), [&](EventIndex o) { return follows(z, o); }))
      add(z);
  // The observer sees something else now, and may do something else.
  add(observers.front());
  LabelledStep& observer = reversal_.sequence.back();
  if (outcome_varies(observer.operation.kind)) {
    const Execution* result = ask(std::span(reversal_.sequence).first(reversal_.sequence.size() - 1));
    if (result == nullptr) return;
    for (const Offer& offer : result->pending)
      if (offer.step() == observer.step) observer.operation = offer.operation;
  }
  visit_(reversal_);
}

}  // namespace mazurka::dpor

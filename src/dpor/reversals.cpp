#include "dpor/reversals.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::dpor {

void ReversalFinder::find(const Execution& execution, std::size_t known,
                          const std::function<void(const Reversal&)>& visit) {
  execution_ = &execution;
  visit_ = &visit;
  diverged_.reset();
  const auto& events = execution.events;
  order_.truncate(std::min(known, order_.size()));
  for (std::size_t i = order_.size(); i < events.size(); ++i) order_.append(events[i]);

  std::size_t processes = executor_.process_count();
  for (const Event& event : events) processes = std::max<std::size_t>(processes, event.process + 1);
  last_of_.assign(processes, kNone);
  next_of_.assign(events.size(), kNone);
  for (std::size_t i = events.size(); i-- > 0;) {
    next_of_[i] = last_of_[events[i].process];
    last_of_[events[i].process] = i;
  }

  last_of_.assign(processes, kNone);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const std::size_t last = last_of_[event.process];
    if (event.offers_count == 0) {
      consider({event.process, last, i, &event.operation, event.alternative, true}, known);
    } else {
      for (const Offer& offer : execution.offers_of(event))
        consider({event.process, last, i, &offer.operation, offer.alternative, offer.alternative == event.alternative},
                 known);
    }
    last_of_[event.process] = i;
  }
  for (const Offer& offer : execution.pending)
    consider({offer.process, last_of_[offer.process], kNone, &offer.operation, offer.alternative, false}, known);
}

bool ReversalFinder::consequence(std::size_t of, std::size_t event) const {
  return of != kNone && (of == event || order_.before(static_cast<EventIndex>(of), static_cast<EventIndex>(event)));
}

void ReversalFinder::consider(const Target& target, std::size_t known) {
  const auto& events = execution_->events;
  // A taken step races only with what came before it; the others also with what came later.
  const std::size_t end = target.taken ? target.next : events.size();
  for (std::size_t e = 0; e < end; ++e) {
    if (target.taken && target.next < known) break;  // both are old: found before
    if (events[e].process == target.process || relation(events[e].operation, *target.operation) != Relation::Racing)
      continue;
    if (target.last != kNone && consequence(e, target.last)) continue;  // p got here because of e
    ++races_;
    candidate(target, e);
  }
  // An alternative that was not taken, perhaps not possible then, may be possible in the end.
  if (!target.taken && target.next != kNone) candidate(target, kNone);
}

/// Builds H and, if the target's process can move by its operation after it, the reversal.
void ReversalFinder::candidate(const Target& target, std::size_t avoided) {
  const auto& events = execution_->events;
  const std::size_t at = std::min(avoided, target.next);
  inside_.assign(events.size(), 0);
  for (std::size_t z = 0; z < events.size(); ++z)
    inside_[z] = z < at || (!consequence(avoided, z) && !consequence(target.next, z));

  // A taken step with one alternative that can happen at any time needs no probe. Nor does a lock, where another
  // acquisition stays away: the mutex was free before that one.
  if (target.taken && execution_->events[target.next].offers_count == 0) {
    const bool lock_instead_of_acquisition = target.operation->kind == OperationKind::MutexLock && avoided != kNone &&
                                             family(events[avoided].operation.kind) == Family::Mutex &&
                                             !events[avoided].operation.failed();
    if (never_blocks(target.operation->kind) || lock_instead_of_acquisition) {
      emit(target, *target.operation, target.alternative, at);
      return;
    }
  }
  prefix_.clear();
  for (std::size_t z = 0; z < events.size(); ++z)
    if (inside_[z]) prefix_.push_back(events[z].step());
  ++probes_;
  Job job;
  job.prefix = prefix_;
  job.continuation = Continuation::Stop;
  const Execution& probe = executor_.run(job);
  // What is closed under causes is an execution by itself, unless the system is not the same every time.
  if (probe.outcome == Outcome::Diverged) {
    diverged_ = probe;
    return;
  }
  for (const Offer& offer : probe.pending)
    if (offer.process == target.process && offer.enabled &&
        (offer.alternative == target.alternative || state_decides_alternatives(offer.operation.kind)))
      emit(target, offer.operation, offer.alternative, at);
}

void ReversalFinder::emit(const Target& target, const Operation& operation, std::uint32_t alternative, std::size_t at) {
  const auto& events = execution_->events;
  kept_ = inside_;
  if (history_ == History::Causes) keep_causes(target, operation, at);
  reversal_.at = at;
  reversal_.sequence.clear();
  for (std::size_t z = at; z < events.size(); ++z)
    if (kept_[z] != 0) reversal_.sequence.push_back({events[z].step(), events[z].operation});
  reversal_.sequence.push_back({{target.process, alternative}, operation});
  (*visit_)(reversal_);
}

void ReversalFinder::keep_causes(const Target& target, const Operation& operation, std::size_t at) {
  const auto& events = execution_->events;
  for (std::size_t z = events.size(); z-- > at;) {
    if (kept_[z] == 0 || events[z].process == target.process || dependent(events[z].operation, operation)) continue;
    bool cause = false;
    for (std::size_t later = z + 1; !cause && later < events.size(); ++later)
      cause = kept_[later] != 0 && order_.before(static_cast<EventIndex>(z), static_cast<EventIndex>(later));
    kept_[z] = cause ? 1 : 0;
  }
}

}  // namespace mazurka::dpor

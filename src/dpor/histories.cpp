// The second half of the search for reversals: given a candidate, its history H, whether its step is possible after H,
// and the sequence to plan.
#include <algorithm>

#include "core/dependence.hpp"
#include "core/invariant.hpp"
#include "core/ticks.hpp"
#include "dpor/reversals.hpp"

namespace mazurka::dpor {
namespace {

using enum OperationKind;

constexpr std::size_t kPerHistory = 256;  // work that a short one takes too: to plan what comes of it

}  // namespace

/// Builds H from the first `end` events and, if the target's process can move by its operation after it, the reversal.
Planned ReversalFinder::candidate(const Target& target, EventIndex avoided, std::size_t end) {
  if (over()) return Planned::Open;
  excluded_.clear();
  if (avoided != kNone) excluded_.push_back(avoided);
  if (target.next != kNone) excluded_.push_back(target.next);
  build_history(end);
  if (has_unknown_footprint(*target.operation) && target.next == kNone) return run_all_alternatives(target, end);
  if (target.operation->kind == AtomicSection) return run_section(target);
  if (happens_anyway(target, avoided)) return emit(target, *target.operation, target.alternative);
  const Planned planned = probe(target, end);
  reversal_.redundant_by.reset();  // the last of several outcomes says nothing of the others
  return planned;
}

/// H, from the first event that stays away on.
void ReversalFinder::build_history(std::size_t end) {
  const auto& events = execution_->events;
  const std::size_t at = *std::min_element(excluded_.begin(), excluded_.end());
  poll_.spend(kPerHistory + end - at);
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
  if (is_plain_lock(*target.operation)) return acquires_mutex(e);
  if (!never_blocks(target.operation->kind)) return false;
  if (!outcome_varies(target.operation->kind)) return true;
  // The outcome of a compare-exchange depends on the last write only; that does not follow from a read next to it.
  const auto direct = order_.direct(target.next);
  return target.operation->kind == CompareExchange && family(e.kind) == Family::Memory && !writes_memory(e) &&
         order_.chains_of(target.next).size() == 1 && std::find(direct.begin(), direct.end(), avoided) != direct.end();
}

/// Runs the first `at` events and then `steps`, and stops there: what is possible next? None where that could not be
/// repeated: what is closed under causes is an execution by itself, unless the system is not the same every time.
const Execution* ReversalFinder::ask(std::span<const LabelledStep> steps, const Step* then) {
  prefix_.clear();
  for (std::size_t z = 0; z < reversal_.at; ++z) prefix_.push_back(execution_->events[z].step());
  for (const LabelledStep& step : steps) prefix_.push_back(step.step);
  if (then != nullptr) prefix_.push_back(*then);
  ++probes_;
  poll_.spend(Poll::kPerStep * prefix_.size());
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

/// What an atomic section does after these steps is known once it is done: runs it. False where that is not possible
/// again, because the system is not the same every time.
bool ReversalFinder::run_last(std::span<const LabelledStep> steps, Step section, LabelledStep& label) {
  const Execution* result = ask(steps, &section);
  if (result == nullptr) return false;
  MZ_INVARIANT(result->events.size() == prefix_.size() && result->events.back().process == section.process,
               "an atomic section is possible wherever its process stands before it");
  label = {result->events.back().step(), result->events.back().operation};
  return true;
}

/// The target's section after H. Where it reads something else than in the execution it may do something else, also
/// make other choices; those it does not get to here are alternatives of what it does here.
Planned ReversalFinder::run_section(const Target& target) {
  LabelledStep label;
  const Step step{target.process, target.alternative};
  if (!run_last(reversal_.sequence, step, label)) return Planned::Open;
  // As for a probe: only if it is the same step again does what the execution did later say nothing new.
  const bool same = target.taken && label.step == step && label.operation == *target.operation;
  const Planned planned = emit(target, label.operation, label.step.alternative);
  reversal_.redundant_by.reset();
  return same ? planned : Planned::Open;
}

/// Every alternative of a section after H. An alternative tells its siblings only when it is run, so all are run: one
/// of them may be asleep, and those that it leads to are not.
Planned ReversalFinder::run_all_alternatives(const Target& target, std::size_t end) {
  std::vector<std::uint32_t> alternatives{0};
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (i > 0) build_history(end);  // the one before may have used it up
    LabelledStep label;
    if (!run_last(reversal_.sequence, {target.process, alternatives[i]}, label)) break;
    if (!has_unknown_footprint(label.operation))
      for_each_sibling(label.operation, label.step.alternative, [&](std::uint32_t sibling) {
        if (std::find(alternatives.begin(), alternatives.end(), sibling) == alternatives.end())
          alternatives.push_back(sibling);
        return false;
      });
    emit(target, label.operation, label.step.alternative);
  }
  reversal_.redundant_by.reset();
  return Planned::Open;
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
/// happen after the second in the same way, up to the observers. Of the execution only the first `end` events count.
///
/// The paper chooses one of several observers. What else the sequence contains depends on the choice, so each of them
/// is tried, unless it follows from another one.
Planned ReversalFinder::observed_race(const Task& task, std::size_t end) {
  if (over()) return Planned::Open;
  const auto& events = execution_->events;
  const EventIndex first = task.avoided;
  const EventIndex second = task.target.next;
  observations_.collect_observers(events, second, observers_);
  if (std::any_of(observers_.begin(), observers_.end(),
                  [&](EventIndex o) { return o != task.observer && follows(task.observer, o); }))
    return Planned::Settled;
  reversal_.at = first;
  reversal_.redundant_by.reset();
  reversal_.sequence.clear();
  const auto add = [&](EventIndex z) { reversal_.sequence.push_back({events[z].step(), events[z].operation}); };
  for (EventIndex z = first; z < end; ++z)  // notdep(e, E)
    if (z != fatal_ && !follows(z, first)) add(z);
  add(second);
  add(first);
  for (EventIndex z = first; z < end; ++z)  // notobs(e, e', E) \ e'
    if (z != first && z != second && z != fatal_ && follows(z, first) &&
        std::none_of(observers_.begin(), observers_.end(), [&](EventIndex o) { return follows(z, o); }))
      add(z);
  // The observer sees something else now, and may do something else.
  add(task.observer);
  LabelledStep& observer = reversal_.sequence.back();
  if (observer.operation.kind == AtomicSection) {
    const Step section = observer.step;
    if (!run_last(std::span(reversal_.sequence).first(reversal_.sequence.size() - 1), section, observer))
      return Planned::Open;
  } else if (may_fail(observer.operation.kind)) {
    const Execution* result = ask(std::span(reversal_.sequence).first(reversal_.sequence.size() - 1));
    if (result == nullptr) return Planned::Open;
    for (const Offer& offer : result->pending)
      if (offer.step() == observer.step) observer.operation = offer.operation;
  }
  return visit_(reversal_);
}

}  // namespace mazurka::dpor

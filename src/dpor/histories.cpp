#include "dpor/histories.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/foresight.hpp"

namespace mazurka::dpor {
namespace {

using enum OperationKind;

constexpr std::size_t kPerHistory = 256;  // fixed cost, in work units: planning the reversal

}  // namespace

Planned Histories::candidate(const Target& target, EventIndex avoided, std::size_t end) {
  if (poll_.stopped()) return Planned::Open;
  excluded_.clear();
  if (avoided != kNoEvent) excluded_.push_back(avoided);
  if (target.next != kNoEvent) excluded_.push_back(target.next);
  build(end);
  if (has_unknown_footprint(*target.operation) && target.next == kNoEvent) return run_all_alternatives(target, end);
  if (target.operation->kind == AtomicSection) return run_section(target);
  if (const std::optional<Operation> known = outcome(target, avoided)) {
    const Planned emitted = emit(target, *known, target.alternative);
    if (*known == *target.operation) return emitted;
    forget_reasons();  // the later events need not be independent of another outcome
    return Planned::Open;
  }
  const Planned planned = probe(target, end);
  reversal_.redundant_by.reset();  // the last of several outcomes says nothing about the others
  return offered_.empty() && stays_disabled(target, avoided) ? Planned::Settled : planned;
}

/// Whether the target is an await that, if disabled after one H, is disabled after every H without the avoided event:
/// the location has the value that this event found, and the process keeps waiting on it.
bool Histories::stays_disabled(const Target& target, EventIndex avoided) const {
  if (avoided == kNoEvent || poll_.stopped()) return false;
  const Operation& e = trace_.events()[avoided].operation;
  const OperationKind kind = target.operation->kind;
  return (kind == Await || kind == AwaitModify) && tells_value(e, *target.operation) && finds_last_value(e);
}

/// Whether what an event found is what its object holds after every H without the event. Not if the order of unobserved
/// stores or deliveries is open, since a later one may be in H.
bool Histories::finds_last_value(const Operation& e) const {
  return !trace_.observes_stores() || (e.kind != Store && e.kind != MailboxSend);
}

Planned Histories::choose(const Target& target, std::size_t end) {
  excluded_.assign(1, target.next);
  build(end);
  if (target.operation->kind == AtomicSection) return run_all_alternatives(target, end);
  return emit(target, *target.operation, target.alternative);
}

/// Builds H, from the first excluded event on.
void Histories::build(std::size_t end) {
  const auto& events = trace_.events();
  const std::size_t at = *std::min_element(excluded_.begin(), excluded_.end());
  poll_.spend(kPerHistory + end - at);
  const std::size_t width = trace_.order().width();
  const std::uint32_t* clock = trace_.order().clock_of(static_cast<EventIndex>(at)).data();
  // Whatever happens after an excluded event is excluded too. Usually there are one or two.
  const ProcessIndex first = events[excluded_.front()].process;
  const ProcessIndex last = events[excluded_.back()].process;
  const std::uint32_t first_position = trace_.order().position(excluded_.front());
  const std::uint32_t last_position = trace_.order().position(excluded_.back());
  const auto seen_another = [&](EventIndex z) {
    return std::any_of(excluded_.begin() + 1, excluded_.end() - 1, [&](EventIndex x) { return trace_.follows(z, x); });
  };
  const bool more = excluded_.size() > 2;
  const EventIndex fatal = trace_.fatal();
  reversal_.at = at;
  forget_reasons();
  reversal_.sequence.resize(end - at);
  inside_.resize(end - at);
  std::size_t count = 0;
  for (auto z = static_cast<EventIndex>(at); z < end; ++z, clock += width) {
    if (clock[first] >= first_position || clock[last] >= last_position || z == fatal || (more && seen_another(z)))
      continue;
    inside_[count] = z;
    reversal_.sequence[count++] = {events[z].step(), events[z].operation};
  }
  reversal_.sequence.resize(count);
  inside_.resize(count);
}

/// The outcome of the target's step after H, if it is known without a probe.
std::optional<Operation> Histories::outcome(const Target& target, EventIndex avoided) const {
  if (!target.taken || avoided == kNoEvent) return std::nullopt;
  const Event& e = trace_.events()[avoided];
  const Event& f = trace_.events()[target.next];
  if (f.offers_count == 0 && possible_in_place_of(e.operation, f.operation)) return f.operation;
  if (target.next == trace_.fatal()) return std::nullopt;  // it ended before its values were recorded
  if (!finds_last_value(e.operation)) return std::nullopt;
  if (std::optional<Operation> known = outcome_in_place_of(e, f)) return known;
  // For any value: the outcome of a compare-exchange depends on the last write only, which does not depend on a read
  // next to it.
  const auto direct = trace_.order().direct(target.next);
  const bool same_value = f.operation.kind == CompareExchange && family(e.operation.kind) == Family::Memory &&
                          !writes_memory(e.operation) && trace_.order().chains_of(target.next).size() == 1 &&
                          std::find(direct.begin(), direct.end(), avoided) != direct.end();
  return same_value ? std::optional(f.operation) : std::nullopt;
}

/// Makes the prober run the first `at` events and then these.
void Histories::put_to_prober(std::span<const LabelledStep> steps) {
  std::vector<Step>& history = prober_.new_history();
  for (std::size_t z = 0; z < reversal_.at; ++z) history.push_back(trace_.events()[z].step());
  for (const LabelledStep& step : steps) history.push_back(step.step);
}

/// Runs the target's section after H. If it reads other values than in the execution, it may have other effects and
/// other choices; choices that it does not reach here are alternatives of this run.
Planned Histories::run_section(const Target& target) {
  LabelledStep label;
  const Step step{target.process, target.alternative};
  put_to_prober(reversal_.sequence);
  if (!prober_.run_section(step, label)) return Planned::Open;
  // As for a probe: only if the step is the same do the later events of the execution add nothing.
  const bool same = target.taken && label.step == step && label.operation == *target.operation;
  const Planned planned = emit(target, label.operation, label.step.alternative);
  reversal_.redundant_by.reset();
  if (!same) forget_reasons();
  return same ? planned : Planned::Open;
}

/// Runs every alternative of a section after H. The siblings of an alternative are known only after it was run, so all
/// are run: one may be asleep while its siblings are not.
Planned Histories::run_all_alternatives(const Target& target, std::size_t end) {
  std::vector<std::uint32_t> alternatives{0};
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (i > 0) build(end);  // the previous one may have consumed it
    LabelledStep label;
    put_to_prober(reversal_.sequence);
    if (!prober_.run_section({target.process, alternatives[i]}, label)) break;
    if (!has_unknown_footprint(label.operation))
      for_each_sibling(label.operation, label.step.alternative, [&](std::uint32_t sibling) {
        if (std::find(alternatives.begin(), alternatives.end(), sibling) == alternatives.end())
          alternatives.push_back(sibling);
        return false;
      });
    emit(target, label.operation, label.step.alternative);
  }
  forget_reasons();
  return Planned::Open;
}

/// Probes what the target's process can do after H.
Planned Histories::probe(const Target& target, std::size_t end) {
  for (;;) {
    put_to_prober(reversal_.sequence);
    if (!prober_.ask_for({target.process, target.alternative}, offered_)) return Planned::Open;
    if (!offered_.empty() || !drop_remaining_readers(target, end)) break;
  }
  // The later events are independent of the target's step as it was executed, and so add nothing. That does not hold
  // for another outcome or another choice.
  const bool same = offered_.size() == 1 && offered_[0].operation == *target.operation;
  Planned planned = same ? Planned::Settled : Planned::Open;
  for (const Offer& offer : offered_) {
    build(end);  // the previous one may have consumed it
    if (emit(target, offer.operation, offer.alternative) == Planned::Open) planned = Planned::Open;
  }
  if (!same) forget_reasons();
  return planned;
}

/// A writer blocked by several readers can precede them only if all of them are excluded.
bool Histories::drop_remaining_readers(const Target& target, std::size_t end) {
  if (target.operation->kind != WriteLock) return false;
  const auto& events = trace_.events();
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
    if (!released && !(target.last != kNoEvent && trace_.follows(target.last, z))) excluded_.push_back(z);
  }
  if (excluded_.size() == before) return false;
  build(end);
  return true;
}

/// Visits H followed by the target's step.
Planned Histories::emit(const Target& target, const Operation& operation, std::uint32_t alternative) {
  reversal_.sequence.push_back({{target.process, alternative}, operation});
  return visit_(reversal_);
}

/// Line 8 of Algorithm 1: two stores, or two deliveries, whose order is observed. The first, and what depends on it,
/// can come after the second in the same way, up to the observers. Only the first `end` events are considered.
///
/// The paper chooses one of several observers. The rest of the sequence depends on the choice, so each observer is
/// tried, unless another one happens before it.
Planned Histories::observed_race(EventIndex first, EventIndex second, EventIndex observer, std::size_t end) {
  if (poll_.stopped()) return Planned::Open;
  const auto& events = trace_.events();
  const bool deliveries = events[second].operation.kind == MailboxSend;
  if (deliveries)
    observers_.assign(1, observer);  // there is one: a message is taken once
  else
    trace_.observations().collect_observers(events, second, observers_);
  if (std::any_of(observers_.begin(), observers_.end(),
                  [&](EventIndex o) { return o != observer && trace_.follows(observer, o); }))
    return Planned::Settled;
  reversal_.at = first;
  forget_reasons();
  reversal_.sequence.clear();
  const auto add = [&](EventIndex z) { reversal_.sequence.push_back({events[z].step(), events[z].operation}); };
  for (EventIndex z = first; z < end; ++z)  // notdep(e, E)
    if (z != trace_.fatal() && !trace_.follows(z, first)) add(z);
  add(second);
  add(first);
  for (EventIndex z = first; z < end; ++z)  // notobs(e, e', E) \ e'
    if (z != first && z != second && z != trace_.fatal() && trace_.follows(z, first) &&
        std::none_of(observers_.begin(), observers_.end(), [&](EventIndex o) { return trace_.follows(z, o); }))
      add(z);
  if (deliveries) {  // the receive now takes the message that comes first
    add(observer);
    reversal_.sequence.back().operation.set_message(events[second].operation.message());
    return visit_(reversal_);
  }
  // The observer reads another value now, so its outcome may change.
  if (may_fail(events[observer].operation.kind)) put_to_prober(reversal_.sequence);
  add(observer);
  LabelledStep& sees = reversal_.sequence.back();
  if (sees.operation.kind == AtomicSection) {
    if (!prober_.run_section(sees.step, sees)) return Planned::Open;
  } else if (may_fail(sees.operation.kind)) {
    const Execution* result = prober_.ask();
    if (result == nullptr) return Planned::Open;
    for (const Offer& offer : result->pending)
      if (offer.step() == sees.step) sees.operation = offer.operation;
  }
  return visit_(reversal_);
}

}  // namespace mazurka::dpor

#include "core/hangs.hpp"

#include <algorithm>

namespace mazurka {
namespace {

constexpr std::size_t kLongestRound = 64;
constexpr std::size_t kMostKnown = 1U << 20;

/// How a step that may belong to an idle round affects mutexes and reader-writer locks.
enum class Effect : std::uint8_t { None, Locks, Unlocks, Tries, Other };

/// `changes`: whether the step changed anything that other processes can observe.
Effect effect_of(const Operation& operation, bool changes) {
  using enum OperationKind;
  const bool failed = (operation.flags & kFailed) != 0;
  switch (operation.kind) {
    case Load:
    case Await:
    case Yield:
    case Fence:
    case ConditionTimeout:
    case FutexWait:
    case FutexTimeout: return Effect::None;
    case Store: return changes || (operation.flags & kPlain) == 0 ? Effect::Other : Effect::None;
    case ReadModifyWrite: return changes ? Effect::Other : Effect::None;
    case CompareExchange:
    case SemaphoreTryWait: return failed ? Effect::None : Effect::Other;
    case MutexTryLock:
    case TryReadLock:
    case TryWriteLock: return failed ? Effect::Tries : Effect::Other;
    case MutexLock:
    case ReadLock:
    case WriteLock: return Effect::Locks;
    case MutexUnlock:
    case ReadUnlock:
    case WriteUnlock:
    case ConditionWait: return Effect::Unlocks;
    default: return Effect::Other;
  }
}

/// Whether a pending step could belong to an idle round.
bool may_be_idle(Operation operation) {
  operation.flags |= kFailed;
  return effect_of(operation, false) != Effect::Other;
}

}  // namespace

Hangs::Hangs(Executor& executor) : executor_(executor) {
  job_.continuation = Continuation::Stop;
  job_.deltas = true;
}

bool Hangs::look(const Execution& execution, const StateHash& state, Execution& found) {
  // An enabled step that cannot be idle: no need to execute it.
  const auto moves = [](const Offer& offer) { return offer.enabled && !may_be_idle(offer.operation); };
  if (std::any_of(execution.pending.begin(), execution.pending.end(), moves)) return false;
  // A failed assumption is not a hang: the execution is cut.
  const auto is_cut = [](const Offer& offer) { return offer.operation.kind == OperationKind::Assume || offer.assumed; };
  if (std::any_of(execution.pending.begin(), execution.pending.end(), is_cut)) return false;
  if (known_.size() >= kMostKnown) known_.clear();
  if (!known_.insert(state).second) return false;
  job_.prefix.clear();
  for (const Event& event : execution.events) job_.prefix.push_back(event.step());
  moved_ = {};
  locks_ = tries_ = false;
  const std::size_t processes = executor_.process_count();
  for (ProcessIndex process = 0; process < processes; ++process) {
    const Round round = go_round(process, true);
    if (round == Round::Open) return false;
    follow(round);
  }
  StateHash at = state;
  at ^= moved_;
  if (at != state && !known_.insert(at).second) return false;
  if (!is_hang()) return false;
  if (!run() || std::any_of(execution_.pending.begin(), execution_.pending.end(), is_cut)) return false;
  found = execution_;
  found.outcome = Outcome::Deadlock;
  found.failure = {};
  found.failure.kind = FailureKind::Deadlock;
  show_loops(found);
  return true;
}

void Hangs::show_loops(Execution& found) const {
  for (Offer& offer : found.pending) {
    if (!offer.enabled) continue;
    offer.enabled = false;
    offer.operation = {};
    offer.operation.kind = OperationKind::Spin;
    offer.operation.object = offer.process < looked_at_.size() ? looked_at_[offer.process] : 0;
  }
}

bool Hangs::run() {
  job_.deltas_from = job_.prefix.empty() ? 0 : job_.prefix.size() - 1;
  const std::size_t version = executor_.version();
  executor_.run(job_, execution_);
  return execution_.outcome == Outcome::Stopped && executor_.version() == version;
}

std::vector<ProcessIndex> Hangs::enabled() const {
  std::vector<ProcessIndex> result;
  for (const Offer& offer : execution_.pending)
    if (offer.enabled && (result.empty() || result.back() != offer.process)) result.push_back(offer.process);
  return result;
}

Hangs::Round Hangs::go_round(ProcessIndex process, bool on_its_way) {
  const std::size_t begin = job_.prefix.size();
  round_.clear();
  StateHash state;
  StateHash shared;
  int held = 0;
  Round result = Round::Open;
  if (!run()) return Round::Open;
  const std::size_t printed = execution_.output.size();
  for (;;) {
    const auto is_possible = [&](const Offer& offer) {
      return offer.process == process && offer.enabled && !offer.stopped;
    };
    const auto offer = std::find_if(execution_.pending.begin(), execution_.pending.end(), is_possible);
    if (offer == execution_.pending.end()) {
      result = Round::Blocked;
      break;
    }
    if (std::count_if(execution_.pending.begin(), execution_.pending.end(), is_possible) != 1) break;
    if (round_.size() == kLongestRound) break;
    const Step step = offer->step();
    job_.prefix.push_back(step);
    if (!run() || execution_.events.size() != job_.prefix.size()) break;
    const std::size_t last = job_.prefix.size() - 1;
    const StateHash* const delta = execution_.delta(last);
    const std::size_t shared_at = last - execution_.first_delta;
    if (delta == nullptr || shared_at >= execution_.shared_deltas.size()) break;
    const StateHash& shared_delta = execution_.shared_deltas[shared_at];
    const Effect effect = effect_of(execution_.events.back().operation, shared_delta != StateHash{});
    if (effect == Effect::Other || execution_.output.size() != printed) break;
    held += effect == Effect::Locks ? 1 : (effect == Effect::Unlocks ? -1 : 0);
    locks_ = locks_ || effect == Effect::Locks;
    tries_ = tries_ || effect == Effect::Tries;
    state ^= *delta;
    shared ^= shared_delta;
    // It held a lock when it began, in the middle of a round: later changes are relative to the state it leaves here.
    if (on_its_way && held < 0) {
      held = 0;
      shared = {};
    }
    // Others can observe the change, unless the process holds a lock that keeps them out.
    if (held == 0 && shared != StateHash{}) break;
    round_.push_back({step, state, execution_.events.back().operation, enabled(), held});
    const auto seen =
        std::find_if(round_.begin(), round_.end() - 1, [&](const Stop& stop) { return stop.state == state; });
    if (state == StateHash{} || seen != round_.end() - 1) {
      round_start_ = state == StateHash{} ? 0 : static_cast<std::size_t>(seen - round_.begin()) + 1;
      result = Round::Closed;
      break;
    }
  }
  job_.prefix.resize(begin);
  return result;
}

void Hangs::follow(Round round) {
  if (round_.empty()) return;
  // If the loop begins at once, its last state is the one before the first step.
  const std::size_t first = round_start_ == 0 ? 0 : round_start_ - 1;
  std::size_t best = round_.size();
  const auto is_better = [](const Stop& a, const Stop& b) {
    return a.enabled.size() != b.enabled.size() ? a.enabled.size() > b.enabled.size() : a.held < b.held;
  };
  for (std::size_t i = round_.size(); round == Round::Closed && i > first; --i)
    if (is_better(round_[i - 1], round_[best - 1])) best = i;
  if (round == Round::Closed && best == round_.size() && round_start_ == 0) return;  // it is in that state already
  for (std::size_t i = 0; i < best; ++i) job_.prefix.push_back(round_[i].step);
  moved_ ^= round_[best - 1].state;
}

bool Hangs::is_hang() {
  if (!run()) return false;
  const std::vector<ProcessIndex> can_move = enabled();
  const std::size_t processes = executor_.process_count();
  looked_at_.assign(processes, 0);
  for (ProcessIndex process = 0; process < processes; ++process) {
    const Round round = go_round(process, false);
    for (const Stop& stop : round_)
      if ((stop.operation.flags & kPlain) == 0 && stop.operation.object != 0)
        looked_at_[process] = stop.operation.object;
    const bool is_back = round == Round::Closed ? round_start_ == 0 : round_.empty();
    if (round == Round::Open || !is_back) return false;
    for (const Stop& stop : round_)
      if (!std::includes(can_move.begin(), can_move.end(), stop.enabled.begin(), stop.enabled.end())) return false;
  }
  return !locks_ || !tries_;
}

}  // namespace mazurka

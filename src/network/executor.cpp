#include "network/executor.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/invariant.hpp"
#include "core/priorities.hpp"
#include "core/random.hpp"

namespace mazurka::network {

std::span<const Offer> NetworkExecutor::offers_of(ProcessIndex process) const {
  const ComponentId client = product_.network().clients()[process];
  return product_.offers(client, product_.layout().get(state_.data(), client));
}

mazurka::Offer NetworkExecutor::core_offer(ProcessIndex process, std::uint32_t alternative, const Offer& offer) const {
  mazurka::Offer result;
  result.operation.kind = OperationKind::Synchronise;
  result.operation.object = offer.server;
  result.operation.set_action(offer.action);
  result.process = process;
  result.alternative = alternative;
  result.enabled = product_.server_target(offer, state_.data()) != kNoLocation;
  return result;
}

bool NetworkExecutor::take(Step step) {
  if (step.process >= process_count()) return false;
  const auto offers = offers_of(step.process);
  if (step.alternative >= offers.size()) return false;
  const Offer& offer = offers[step.alternative];
  const LocationId server_target = product_.server_target(offer, state_.data());
  if (server_target == kNoLocation) return false;

  Event event;
  event.operation = core_offer(step.process, step.alternative, offer).operation;
  event.process = step.process;
  event.alternative = step.alternative;
  event.value = product_.layout().get(state_.data(), offer.server);
  event.written = server_target;
  if (offers.size() > 1) {
    event.offers_begin = static_cast<std::uint32_t>(execution_->offers.size());
    event.offers_count = static_cast<std::uint32_t>(offers.size());
    for (std::uint32_t i = 0; i < offers.size(); ++i)
      execution_->offers.push_back(core_offer(step.process, i, offers[i]));
  }
  execution_->events.push_back(event);
  ++steps_[step.process];
  const ComponentId client = product_.network().clients()[step.process];
  if (wants_deltas_) {
    StateHash delta = hash_of_change(client, product_.layout().get(state_.data(), client), offer.client_target);
    if (offer.server != client) delta ^= hash_of_change(offer.server, event.value, server_target);
    execution_->deltas.push_back(delta);
    execution_->differences.push_back(
        {client, product_.layout().get(state_.data(), client) ^ std::uint64_t{offer.client_target}});
    if (offer.server != client)
      execution_->differences.push_back({offer.server, event.value ^ std::uint64_t{server_target}});
    execution_->difference_ends.push_back(static_cast<std::uint32_t>(execution_->differences.size()));
  }
  product_.layout().set(state_.data(), client, offer.client_target);
  product_.layout().set(state_.data(), offer.server, server_target);
  return true;
}

void NetworkExecutor::wake() {
  const Event& event = execution_->events.back();
  std::erase_if(sleep_, [&](const Sleeper& sleeper) {
    return sleeper.step.process == event.process || dependent(sleeper.operation, event.operation);
  });
}

void NetworkExecutor::collect_enabled() {
  enabled_.clear();
  any_enabled_ = false;
  for (ProcessIndex process = 0; process < process_count(); ++process) {
    if (is_stopped(process)) continue;
    const auto offers = offers_of(process);
    for (std::uint32_t i = 0; i < offers.size(); ++i) {
      if (product_.server_target(offers[i], state_.data()) == kNoLocation) continue;
      any_enabled_ = true;
      const Step step{process, i};
      if (std::none_of(sleep_.begin(), sleep_.end(), [&](const Sleeper& s) { return s.step == step; }))
        enabled_.push_back(step);
    }
  }
}

Step NetworkExecutor::choose_by_priority(Priorities& priorities) const {
  const auto lower = [&](const Step& a, const Step& b) { return priorities.of(a.process) < priorities.of(b.process); };
  const ProcessIndex chosen = std::max_element(enabled_.begin(), enabled_.end(), lower)->process;
  const auto begin = std::find_if(enabled_.begin(), enabled_.end(), [&](Step s) { return s.process == chosen; });
  const auto end = std::find_if(begin, enabled_.end(), [&](Step s) { return s.process != chosen; });
  const Step step = begin[priorities.below(static_cast<std::uint32_t>(end - begin))];
  const Operation operation = core_offer(chosen, step.alternative, offers_of(chosen)[step.alternative]).operation;
  priorities.take(chosen, operation, execution_->events.size() + 1);
  if (priorities.redraws())
    for (ProcessIndex other = 0; other < process_count(); ++other) {
      const auto offers = offers_of(other);
      const auto races = [&](const Offer& offer) {
        return dependent(core_offer(other, 0, offer).operation, operation);
      };
      if (other != chosen && std::any_of(offers.begin(), offers.end(), races)) priorities.redraw(other);
    }
  return step;
}

void NetworkExecutor::execute(const Job& job, Execution& into) {
  MZ_INVARIANT(job.postponed.empty(), "no step of a network fails");
  MZ_INVARIANT(job.continuation != Continuation::ReadsFrom, "a network has no places in code to aim at");
  execution_ = &into;
  into.clear();
  state_ = product_.initial();
  steps_.assign(process_count(), 0);
  most_steps_ = job.bound.steps;
  wants_deltas_ = job.deltas;
  for (const Step& step : job.prefix) {
    if (take(step)) continue;
    finish(false);
    into.outcome = Outcome::Diverged;
    into.failure.detail = ImpossibleStep{into.events.size(), step.process, step.alternative};
    return;
  }
  sleep_ = job.sleep;
  SplitMix64 random(job.seed);
  Priorities priorities;
  std::vector<std::uint64_t> of_process(process_count());
  priorities.begin(job.continuation, job.seed, job.guidance, of_process.data());
  for (;;) {
    if (job.continuation == Continuation::Stop) {
      finish(false);
      if (any_enabled_) into.outcome = Outcome::Stopped;
      return;
    }
    collect_enabled();
    if (enabled_.empty()) break;
    if (into.events.size() >= job.max_steps) {
      finish(false);
      into.outcome = Outcome::Limit;
      into.stopped_by |= kStoppedByLength;
      return;
    }
    Step next = enabled_.front();
    if (job.continuation == Continuation::Random) {
      next = enabled_[random.below(enabled_.size())];
    } else if (goes_by_priority(job.continuation)) {
      next = choose_by_priority(priorities);
    } else if (!into.events.empty()) {
      const ProcessIndex last = into.events.back().process;
      const auto same = std::find_if(enabled_.begin(), enabled_.end(), [&](Step s) { return s.process == last; });
      if (same != enabled_.end()) next = *same;
    }
    take(next);
    wake();
  }
  finish(any_enabled_);
}

void NetworkExecutor::finish(bool only_sleepers_enabled) {
  any_enabled_ = false;
  for (ProcessIndex process = 0; process < process_count(); ++process) {
    const auto offers = offers_of(process);
    for (std::uint32_t i = 0; i < offers.size(); ++i) {
      mazurka::Offer& offer = execution_->pending.emplace_back(core_offer(process, i, offers[i]));
      offer.stopped = is_stopped(process);
      any_enabled_ |= offer.enabled && !offer.stopped;
      if (offer.enabled && offer.stopped) execution_->stopped_by |= kStoppedBySteps;
    }
  }
  execution_->final_state = state_;
  if (only_sleepers_enabled) {
    execution_->outcome = Outcome::SleepBlocked;
  } else if (!any_enabled_ && execution_->stopped_by != 0) {
    execution_->outcome = Outcome::Limit;
  } else if (!any_enabled_ && !execution_->pending.empty()) {
    execution_->outcome = Outcome::Deadlock;
    execution_->failure.kind = FailureKind::Deadlock;
  }
}

}  // namespace mazurka::network

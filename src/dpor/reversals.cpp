#include "dpor/reversals.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::dpor {

bool ReversalFinder::find(const Execution& execution, std::size_t known, const Poll::GoOn& go_on) {
  poll_.begin(go_on);
  if (!trace_.follow(execution, known, poll_)) return false;
  queue_.begin(trace_.size());
  look_again_at_open();
  race_finder_.find();
  queue_.perform_all();
  return !poll_.stopped();
}

/// The open races of earlier executions that this execution shares.
void ReversalFinder::look_again_at_open() {
  std::erase_if(open_, [&](const Open& open) {
    return open.second >= trace_.known() || (open.observer != kNoEvent && open.observer >= trace_.shared());
  });
  for (std::size_t i = 0, count = open_.size(); i < count; ++i) {
    if (!poll_.spend(trace_.size() - open_[i].second)) break;
    if (still_redundant(open_[i])) continue;
    Target target = trace_.before(open_[i].second);
    target.alternative = open_[i].alternative;
    queue_.add(open_[i].observer != kNoEvent ? Task::Kind::StoresAgain : Task::Kind::Again, target, open_[i].first,
               open_[i].observer, static_cast<std::uint32_t>(i));
  }
}

void ReversalFinder::learn(Ticket first, std::span<const Planned> answers) {
  std::erase_if(open_, [&](Open& open) {
    if (open.ticket < first || open.ticket - first >= answers.size()) return false;
    const Planned planned = answers[open.ticket - first];
    open.ticket = kNoTicket;
    return planned == Planned::Settled;
  });
}

void ReversalFinder::perform(const Task& task) {
  const Target& target = task.target;
  histories_.plan_unless_settled(kNoTicket);
  const auto observed_race = [&](std::size_t end) {
    return histories_.observed_race(task.avoided, target.next, task.observer, end);
  };
  switch (task.kind) {
    case Task::Kind::Race: race(target, task.avoided); break;
    case Task::Kind::Stores:
      ++races_;
      // A receive may precede a delivery that it would have taken instead of the one it took.
      if (observed_race(std::max(task.observer, target.next)) == Planned::Settled) break;
      keep_open(target, task.avoided, task.observer);
      observed_race(trace_.size());
      break;
    case Task::Kind::StoresAgain:
      histories_.plan_unless_settled(open_[task.open].ticket);
      observed_race(trace_.size());
      break;
    case Task::Kind::Choice:
      if (histories_.choose(target, target.next) == Planned::Settled) break;
      keep_open(target, kNoEvent);
      if (!still_redundant(open_.back())) histories_.choose(target, trace_.size());
      break;
    case Task::Kind::Other: histories_.candidate(target, kNoEvent, trace_.size()); break;
    case Task::Kind::Again:
      histories_.plan_unless_settled(open_[task.open].ticket);
      if (task.avoided == kNoEvent)
        histories_.choose(target, trace_.size());
      else
        histories_.candidate(target, task.avoided, trace_.size());
      break;
  }
}

void ReversalFinder::race(const Target& target, EventIndex avoided) {
  ++races_;
  if (!target.taken) {
    histories_.candidate(target, avoided, trace_.size());
    return;
  }
  // The events before the step often suffice to see that its reversal is new, or redundant. Either holds for all
  // executions with this prefix.
  if (histories_.candidate(target, avoided, target.next) == Planned::Settled) return;
  keep_open(target, avoided);
  if (!still_redundant(open_.back())) histories_.candidate(target, avoided, trace_.size());
}

void ReversalFinder::keep_open(const Target& target, EventIndex avoided, EventIndex observer) {
  open_.push_back({avoided, target.next, target.alternative, observer,
                   observer != kNoEvent ? std::optional<LabelledStep>() : histories_.redundant_by(),
                   histories_.ticket()});
  histories_.plan_unless_settled(open_.back().ticket);
}

/// Whether the events that this execution adds to H after the open race change nothing: the step that made the reversal
/// redundant commutes with them too.
bool ReversalFinder::still_redundant(const Open& open) const {
  if (!open.redundant_by) return false;
  const LabelledStep& p = *open.redundant_by;
  const auto& events = trace_.events();
  for (EventIndex z = open.second + 1; z < events.size(); ++z) {
    if (z == trace_.fatal() || trace_.follows(z, open.second) ||
        (open.first != kNoEvent && trace_.follows(z, open.first)))
      continue;
    if (events[z].process == p.step.process) return events[z].step() == p.step;
    if (dependent(events[z].operation, p.operation)) return false;
  }
  return true;
}

}  // namespace mazurka::dpor

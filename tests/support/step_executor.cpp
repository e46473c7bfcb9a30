#include "support/step_executor.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/random.hpp"

namespace mazurka::testing {

void StepExecutor::take(ProcessIndex process, Execution& into) {
  Event event;
  event.operation = next_operation(process);
  event.process = process;
  take(process, event.operation, event);
  into.events.push_back(event);
  std::erase_if(sleep_, [&](const Sleeper& sleeper) {
    return sleeper.step.process == process || dependent(sleeper.operation, event.operation);
  });
}

void StepExecutor::execute(const Job& job, Execution& into) {
  into.clear();
  reset();
  sleep_.clear();
  for (const Step& step : job.prefix) {
    if (step.process >= process_count() || step.alternative != 0 || !can_move(step.process)) {
      into.outcome = Outcome::Diverged;
      return;
    }
    take(step.process, into);
  }
  sleep_ = job.sleep;
  SplitMix64 random(job.seed);
  std::vector<ProcessIndex> enabled;
  const auto stop = [&](Outcome outcome) {
    into.outcome = outcome;
    for (ProcessIndex process = 0; process < process_count(); ++process)
      if (!ended(process))
        into.pending.push_back({next_operation(process), process, 0, possible(process), false, false, kNoProcess, 0});
  };
  for (;;) {
    enabled.clear();
    bool any = false;
    bool any_possible = false;
    for (ProcessIndex process = 0; process < process_count(); ++process) {
      any |= !ended(process);
      if (!can_move(process)) continue;
      any_possible = true;
      if (std::none_of(sleep_.begin(), sleep_.end(), [&](const Sleeper& s) { return s.step.process == process; }))
        enabled.push_back(process);
    }
    if (!any) break;
    if (!any_possible || enabled.empty() || job.continuation == Continuation::Stop) {
      stop(!any_possible ? Outcome::Deadlock : enabled.empty() ? Outcome::SleepBlocked : Outcome::Stopped);
      break;
    }
    ProcessIndex next = enabled.front();
    if (job.continuation == Continuation::Random)
      next = enabled[random.below(enabled.size())];
    else if (!into.events.empty() &&
             std::find(enabled.begin(), enabled.end(), into.events.back().process) != enabled.end())
      next = into.events.back().process;
    take(next, into);
  }
  into.final_state = final_state();
}

}  // namespace mazurka::testing

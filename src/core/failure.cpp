#include "core/failure.hpp"

#include <vector>

#include "core/dependence.hpp"

namespace mazurka {
namespace {

Sleeper labelled(const Event& event) { return {event.step(), event.operation}; }

/// Takes over the steps of an execution up to the one that failed, and wakes who sleeps on something dependent.
void take_over(const Execution& execution, std::vector<Step>& prefix, std::vector<Sleeper>& sleep) {
  for (std::size_t i = prefix.size(); i + 1 < execution.events.size(); ++i) {
    const Event& event = execution.events[i];
    std::erase_if(sleep, [&](const Sleeper& sleeper) {
      return sleeper.step.process == event.process || dependent(sleeper.operation, event.operation);
    });
    prefix.push_back(event.step());
  }
}

}  // namespace

const Execution* put_failure_last(Executor& executor, const Job& job, const Execution& failed,
                                  const std::function<bool(const Execution&)>& found) {
  const Step failing = failed.events.back().step();
  std::vector<Step> prefix(job.prefix.begin(), job.prefix.end());
  std::vector<Sleeper> sleep(job.sleep.begin(), job.sleep.end());
  std::vector<Sleeper> put_off{labelled(failed.events.back())};
  take_over(failed, prefix, sleep);
  Job others = job;
  others.begun = false;
  for (;;) {
    others.prefix = prefix;
    others.sleep = sleep;
    others.put_off = put_off;
    const Execution& rest = executor.run(others);
    if (failed_on_its_own(others, rest)) {
      take_over(rest, prefix, sleep);
      put_off.push_back(labelled(rest.events.back()));
      if (!found(rest)) return nullptr;
      continue;
    }
    if (rest.outcome == Outcome::Error || rest.outcome == Outcome::Diverged || rest.outcome == Outcome::Unsupported) {
      found(rest);
      return nullptr;
    }
    for (std::size_t i = prefix.size(); i < rest.events.size(); ++i) prefix.push_back(rest.events[i].step());
    break;
  }
  prefix.push_back(failing);
  Job last;
  last.prefix = prefix;
  last.max_steps = job.max_steps;
  return &executor.run(last);
}

}  // namespace mazurka

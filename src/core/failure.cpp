#include "core/failure.hpp"

#include <algorithm>
#include <vector>

#include "core/dependence.hpp"

namespace mazurka {
namespace {

Sleeper labelled(const Event& event) { return {event.step(), event.operation}; }

/// Takes over the steps of an execution before this one, and wakes who sleeps on something dependent.
void take_over(const Execution& execution, std::size_t end, std::vector<Step>& prefix, std::vector<Sleeper>& sleep) {
  for (std::size_t i = prefix.size(); i < end; ++i) {
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
  take_over(failed, failed.events.size() - 1, prefix, sleep);
  Job others = job;
  others.begun = false;
  for (;;) {
    others.prefix = prefix;
    others.sleep = sleep;
    others.put_off = put_off;
    const Execution& rest = executor.run(others);
    const std::size_t known = std::min(prefix.size(), rest.events.size());
    const auto in_the_way =
        std::find_if(rest.events.begin() + static_cast<std::ptrdiff_t>(known), rest.events.end(),
                     [&](const Event& event) { return dependent(put_off.front().operation, event.operation); });
    if (in_the_way != rest.events.end()) {
      put_off.push_back(labelled(*in_the_way));
      take_over(rest, static_cast<std::size_t>(in_the_way - rest.events.begin()), prefix, sleep);
      continue;
    }
    if (failed_on_its_own(others, rest)) {
      take_over(rest, rest.events.size() - 1, prefix, sleep);
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

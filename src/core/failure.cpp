#include "core/failure.hpp"

#include <algorithm>
#include <vector>

#include "core/dependence.hpp"

namespace mazurka {
namespace {

Sleeper labelled(const Event& event) { return {event.step(), event.operation}; }

/// Appends the steps before `end` to the prefix, and wakes sleepers that depend on one of them.
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

bool put_failure_last(Executor& executor, const Job& job, Execution& execution,
                      const std::function<bool(const Execution&)>& found) {
  const Step failing = execution.events.back().step();
  Job others = job;
  others.postponed = {labelled(execution.events.back())};
  take_over(execution, execution.events.size() - 1, others.prefix, others.sleep);
  for (;;) {
    Execution rest;
    executor.run(others, rest);
    const std::size_t known = std::min(others.prefix.size(), rest.events.size());
    const auto in_the_way = std::find_if(
        rest.events.begin() + static_cast<std::ptrdiff_t>(known), rest.events.end(),
        [&](const Event& event) { return dependent(others.postponed.front().operation, event.operation); });
    if (in_the_way != rest.events.end()) {
      others.postponed.push_back(labelled(*in_the_way));
      take_over(rest, static_cast<std::size_t>(in_the_way - rest.events.begin()), others.prefix, others.sleep);
      continue;
    }
    if (failed_on_its_own(others, rest)) {
      take_over(rest, rest.events.size() - 1, others.prefix, others.sleep);
      others.postponed.push_back(labelled(rest.events.back()));
      if (!found(rest)) return false;
      continue;
    }
    if (rest.outcome == Outcome::Error || rest.outcome == Outcome::Diverged || rest.outcome == Outcome::Unsupported) {
      found(rest);
      return false;
    }
    for (std::size_t i = others.prefix.size(); i < rest.events.size(); ++i)
      others.prefix.push_back(rest.events[i].step());
    break;
  }
  Job last;
  last.prefix = std::move(others.prefix);
  last.prefix.push_back(failing);
  last.max_steps = job.max_steps;
  last.bound = job.bound;
  executor.run(last, execution);
  return true;
}

}  // namespace mazurka

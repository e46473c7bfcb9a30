#include "report/attempts.hpp"

#include "core/interrupt.hpp"
#include "report/same_failure.hpp"

namespace mazurka::report {

std::vector<Step> steps_of(const std::vector<Event>& events) {
  std::vector<Step> steps;
  steps.reserve(events.size());
  for (const Event& event : events) steps.push_back(event.step());
  return steps;
}

Attempts::Attempts(Executor& executor, const Names& names, const Execution& target, const MinimiseOptions& options)
    : executor_(executor),
      names_(names),
      target_(target),
      options_(options),
      start_(std::chrono::steady_clock::now()) {}

bool Attempts::spent() {
  spent_ = spent_ || runs_ >= options_.max_runs || interrupted() ||
           std::chrono::steady_clock::now() - start_ > options_.patience;
  return spent_;
}

const Execution* Attempts::run(const std::vector<Step>& schedule) {
  if (spent()) return nullptr;
  ++runs_;
  job_.prefix = schedule;
  job_.continuation = Continuation::Stop;
  executor_.run(job_, execution_);
  return &execution_;
}

bool Attempts::is_target(const Execution& execution) const { return same_failure(names_, execution, target_); }

std::optional<Execution> Attempts::failing(const std::vector<Step>& schedule) {
  const Execution* execution = run(schedule);
  if (execution == nullptr || !is_target(*execution)) return std::nullopt;
  return *execution;
}

}  // namespace mazurka::report

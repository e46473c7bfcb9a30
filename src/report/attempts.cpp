#include "report/attempts.hpp"

#include <algorithm>

#include "core/interrupt.hpp"

namespace mazurka::report {

bool same_failure(const Execution& a, const Execution& b) {
  if (a.outcome != b.outcome || a.error_kind != b.error_kind || a.message != b.message) return false;
  if (a.outcome != Outcome::Deadlock) return true;
  return std::equal(a.pending.begin(), a.pending.end(), b.pending.begin(), b.pending.end(),
                    [](const Offer& x, const Offer& y) {
                      return x.process == y.process && x.operation == y.operation && x.site == y.site;
                    });
}

std::vector<Step> steps_of(const std::vector<Event>& events) {
  std::vector<Step> steps;
  steps.reserve(events.size());
  for (const Event& event : events) steps.push_back(event.step());
  return steps;
}

Attempts::Attempts(Executor& executor, const Execution& target, const MinimiseOptions& options)
    : executor_(executor), target_(target), options_(options), start_(std::chrono::steady_clock::now()) {}

const Execution* Attempts::run(const std::vector<Step>& schedule) {
  spent_ = spent_ || runs_ >= options_.max_runs || interrupted() ||
           std::chrono::steady_clock::now() - start_ > options_.patience;
  if (spent_) return nullptr;
  ++runs_;
  job_.prefix = schedule;
  job_.continuation = Continuation::Stop;
  executor_.run(job_, execution_);
  return &execution_;
}

std::optional<Execution> Attempts::failing(const std::vector<Step>& schedule) {
  const Execution* execution = run(schedule);
  if (execution == nullptr || !same_failure(*execution, target_)) return std::nullopt;
  return *execution;
}

}  // namespace mazurka::report

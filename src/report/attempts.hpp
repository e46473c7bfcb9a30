// Runs of candidate schedules, within a budget, compared with the failure that is to be shown.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/executor.hpp"
#include "core/names.hpp"
#include "report/minimise.hpp"

namespace mazurka::report {

std::vector<Step> steps_of(const std::vector<Event>& events);

class Attempts {
 public:
  Attempts(Executor& executor, const Names& names, const Execution& target, const MinimiseOptions& options);

  /// Runs exactly this schedule; nothing where the budget is spent. Valid until the next run.
  const Execution* run(const std::vector<Step>& schedule);
  /// Whether it fails as it should.
  bool is_target(const Execution& execution) const;
  /// The execution, if this schedule fails as it should.
  std::optional<Execution> failing(const std::vector<Step>& schedule);

  /// Whether the budget is spent, or nobody wants to wait any longer.
  bool spent();
  std::uint64_t runs() const { return runs_; }
  const Execution& target() const { return target_; }

 private:
  Executor& executor_;
  const Names& names_;
  const Execution& target_;
  MinimiseOptions options_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t runs_ = 0;
  bool spent_ = false;
  Job job_;
  Execution execution_;
};

}  // namespace mazurka::report

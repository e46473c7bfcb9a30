// A program as the rest of the tool sees it: an executor, names for what it does, and executions prepared for reports.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "program/executor.hpp"
#include "program/names.hpp"
#include "program/report_run.hpp"

namespace mazurka::program {

class Program {
 public:
  /// Throws InputError if the file is not a program. The program is first run for the first job.
  explicit Program(const Configuration& configuration) : executor_(configuration), names_(executor_) {}

  ProgramExecutor& executor() { return executor_; }
  const ProgramExecutor& executor() const { return executor_; }
  /// For this many explorers at the same time, each in a thread of its own. \pre Configuration::explorers.
  std::vector<ProgramExecutor*> explorers(std::uint32_t count) {
    while (explorers_.size() < count)
      explorers_.push_back(
          std::make_unique<ProgramExecutor>(executor_, static_cast<std::uint32_t>(explorers_.size() + 1)));
    std::vector<ProgramExecutor*> all;
    for (const auto& explorer : explorers_) all.push_back(explorer.get());
    return all;
  }
  const std::vector<std::unique_ptr<ProgramExecutor>>& explorers() const { return explorers_; }
  const ProgramNames& names() const { return names_; }
  Execution prepared_for_report(Execution execution) {
    return program::prepared_for_report(executor_, names_, std::move(execution));
  }

 private:
  ProgramExecutor executor_;
  std::vector<std::unique_ptr<ProgramExecutor>> explorers_;
  ProgramNames names_;
};

}  // namespace mazurka::program

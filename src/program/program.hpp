// A program as the rest of the tool sees it: an executor, names for what it does, and executions prepared for reports.
#pragma once

#include <utility>

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
  const ProgramNames& names() const { return names_; }
  Execution prepared_for_report(Execution execution) {
    return program::prepared_for_report(executor_, names_, std::move(execution));
  }

 private:
  ProgramExecutor executor_;
  ProgramNames names_;
};

}  // namespace mazurka::program

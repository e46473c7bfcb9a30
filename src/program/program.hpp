// A program as the rest of the tool sees it: something to run, names for what it does, and executions made ready to be
// shown.
#pragma once

#include <utility>

#include "program/executor.hpp"
#include "program/names.hpp"
#include "program/report_run.hpp"

namespace mazurka::program {

class Program {
 public:
  /// Throws InputError where the file is not a program. It is run when the first job comes.
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

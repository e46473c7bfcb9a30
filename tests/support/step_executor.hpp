// Small systems that run in this process: processes with one alternative each, whose steps a subclass defines.
#pragma once

#include <cstdint>
#include <vector>

#include "core/serial_executor.hpp"

namespace mazurka::testing {

class StepExecutor : public SerialExecutor {
 protected:
  void execute(const Job& job, Execution& into) final;

  /// The initial state.
  virtual void reset() = 0;
  virtual bool ended(ProcessIndex process) const = 0;
  /// Whether a process that has not ended can move.
  virtual bool possible(ProcessIndex process) const = 0;
  /// What it does next, as it would take place now.
  virtual Operation next_operation(ProcessIndex process) const = 0;
  /// Takes the step of a process that can move: all of the event but operation and process.
  virtual void take(ProcessIndex process, const Operation& operation, Event& event) = 0;
  virtual std::vector<std::uint64_t> final_state() const = 0;

 private:
  bool can_move(ProcessIndex process) const { return !ended(process) && possible(process); }
  void take(ProcessIndex process, Execution& into);

  std::vector<Sleeper> sleep_;
};

}  // namespace mazurka::testing

// A system with a single execution that a test makes up, and a listener that soon has enough: for limits that must be
// heard while one execution is looked at.
#pragma once

#include <cstdint>
#include <string>

#include "core/listener.hpp"
#include "core/serial_executor.hpp"

namespace mazurka::testing {

class OneExecution final : public SerialExecutor {
 public:
  void add(ProcessIndex process, OperationKind kind, std::uint64_t object) {
    Event event;
    event.process = process;
    event.operation.kind = kind;
    event.operation.object = object;
    event.operation.size = 4;
    execution_.events.push_back(event);
    if (process >= processes_) processes_ = process + 1;
  }
  std::size_t process_count() const override { return processes_; }

 protected:
  void execute(const Job&, Execution& into) override { into = execution_; }

 private:
  Execution execution_;
  std::size_t processes_ = 0;
};

/// Says to go on after the execution, and to stop the next time it is asked.
class SoonOver final : public Listener {
 public:
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return ++asked == 1; }

  int asked = 0;
};

}  // namespace mazurka::testing

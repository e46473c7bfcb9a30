// The interface between explorers and reports, which do not know each other: an explorer tells a listener what it finds
// and how far it has come; the listener says whether to continue.
#pragma once

#include "core/bound.hpp"
#include "core/execution.hpp"
#include "core/statistics.hpp"

namespace mazurka {

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// An execution was counted, whatever its outcome.
  virtual void on_execution(const Execution&) {}
  /// An execution failed. `number` counts executions from 0. Returns false to stop the exploration.
  virtual bool on_error(const Execution& execution, std::uint64_t number) = 0;
  /// Whether a deadlock is a failure. If not, it is an ordinary end of an execution.
  virtual bool deadlocks_fail() const { return true; }
  /// A limit or a bound stopped some process in this execution.
  virtual void on_cut(const Execution&) {}
  /// The exploration restarts, because the executor has learnt something about the system: all earlier calls are void.
  virtual void on_new_beginning() {}
  /// Another exploration begins, under this bound. Earlier findings remain valid.
  virtual void on_bound(const Bound&) {}
  /// Called after every execution. Returns false to stop the exploration.
  virtual bool on_progress(const Statistics& statistics) = 0;
};

}  // namespace mazurka

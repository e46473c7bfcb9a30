// Joins explorers and reports, which do not know each other: an explorer tells a listener what it finds and how far it
// is; the listener says whether to go on.
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

  /// An execution was counted, whatever its end.
  virtual void on_execution(const Execution&) {}
  /// An execution ended in an error. `number` counts executions from 0. Returns false to stop the exploration.
  virtual bool on_error(const Execution& execution, std::uint64_t number) = 0;
  /// Whether a deadlock is an error. If not, it is the end of an execution like others.
  virtual bool deadlocks_fail() const { return true; }
  /// A limit or a bound kept something from going on in this execution.
  virtual void on_cut(const Execution&) {}
  /// The exploration begins anew, since something was learnt of the system: what was said so far is void.
  virtual void on_new_beginning() {}
  /// Another exploration begins, in which processes go this far: what was found so far stays found.
  virtual void on_bound(const Bound&) {}
  /// Called after every execution. Returns false to stop the exploration.
  virtual bool on_progress(const Statistics& statistics) = 0;
};

}  // namespace mazurka

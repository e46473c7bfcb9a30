// Extends an execution that failed to a maximal one.
//
// A step that makes the program fail ends the execution, whatever the other processes had left to do. Their later steps
// are not seen, so their races are missed. But a failing step does not affect steps independent of it, which may as
// well come first. So the execution is repeated with the failing step postponed until each other process has
// terminated, is blocked, or is about to do something dependent on it. The result is equivalent to an extension of the
// original one.
//
// The operations of an atomic section are known only after it was executed. If they turn out to depend on the failing
// step, the section is postponed as well, and the rest is repeated.
#pragma once

#include <functional>

#include "core/executor.hpp"

namespace mazurka {

/// Extends `execution` by everything independent of its failing step. If another process fails in the meantime, that
/// failure is reported to `found`, which says whether to continue. Returns false if it says no, or if the execution
/// cannot be repeated. \pre `execution` is the result of `job`, and failed_on_its_own(job, execution).
bool put_failure_last(Executor& executor, const Job& job, Execution& execution,
                      const std::function<bool(const Execution&)>& found);

/// Whether the last step made the execution fail, and was not part of the job's prefix.
inline bool failed_on_its_own(const Job& job, const Execution& execution) {
  return execution.fatal() && execution.events.size() > job.prefix.size();
}

}  // namespace mazurka

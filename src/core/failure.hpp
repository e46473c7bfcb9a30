// What to look at after an execution that failed.
//
// A step that makes the program fail ends the execution, whatever the other processes had still to do. What they would
// have done is not seen, and so nothing is learnt of how it could have happened otherwise. But the failing step has no
// effect on what does not depend on it: that can just as well come first. So the execution is repeated with the failing
// step put off until the others are done, or wait with something that depends on it. That is the same execution, up to
// the order of independent steps, made as long as possible.
//
// What another process does in an atomic section is known only afterwards. If it turns out to depend on the failing
// step, the section is put off as well, and the rest repeated.
#pragma once

#include <functional>

#include "core/executor.hpp"

namespace mazurka {

/// `execution` is what `job` led to, and failed by a step of its own after the prefix. Replaces it by the same with
/// everything before that step that can come before it. Another process may fail as well on the way, and then stays
/// where it is: `found` is told and says whether to go on. False where it does not, or where the execution cannot be
/// repeated.
bool put_failure_last(Executor& executor, const Job& job, Execution& execution,
                      const std::function<bool(const Execution&)>& found);

/// Whether the last step of an execution made it fail, and was not asked for by the job.
inline bool failed_on_its_own(const Job& job, const Execution& execution) {
  return execution.fatal() && execution.events.size() > job.prefix.size();
}

}  // namespace mazurka

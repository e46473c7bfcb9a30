// The only way an explorer touches a system: hand over a job, get the whole execution back.
#pragma once

#include <cstddef>

#include "core/execution.hpp"
#include "core/job.hpp"

namespace mazurka {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Hands a job over. A system with processors of its own starts with it as soon as one of them is free. A job that is
  /// never collected stays until the executor ends.
  virtual JobHandle submit(const Job& job) = 0;
  /// Waits until the job is done: its prefix was followed exactly, then it went on as the job says; the first step of
  /// the prefix that was not possible ended it as Outcome::Diverged. The execution is the caller's; what `into` held
  /// before is replaced, and its memory used again. Jobs may be collected in any order, each once.
  virtual void collect(JobHandle handle, Execution& into) = 0;

  /// The job will not be collected. It need not be executed.
  virtual void abandon(JobHandle /*handle*/) {}

  void run(const Job& job, Execution& into) { collect(submit(job), into); }
  Execution run(const Job& job) {
    Execution execution;
    run(job, execution);
    return execution;
  }

  /// Changes when something was learnt of the system that makes all executions before worthless: another exploration
  /// must begin.
  virtual std::size_t version() const { return 0; }

  /// Takes over what another executor of the same system has learnt; the version may change.
  virtual void learn_from(const Executor& /*other*/) {}

  /// All processes seen so far; an index below this number keeps its meaning for ever.
  virtual std::size_t process_count() const = 0;
};

}  // namespace mazurka

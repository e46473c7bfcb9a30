// The only way an explorer touches a system: hand over a job, get the whole execution back.
#pragma once

#include <cstddef>
#include <span>

#include "core/execution.hpp"
#include "core/job.hpp"

namespace mazurka {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Submits a job. An executor with workers of its own starts it as soon as a worker is free. Every job submitted
  /// should be collected; one that is not stays until the executor is destroyed.
  virtual JobHandle submit(const Job& job) = 0;
  /// Waits until the job is done. The prefix is replayed exactly; then the execution continues as the job's
  /// continuation says. If a step of the prefix is not enabled, the outcome is Outcome::Diverged. `into` then belongs
  /// to the caller; its old contents are replaced and its memory is reused. Jobs may be collected in any order, each
  /// once.
  virtual void collect(JobHandle handle, Execution& into) = 0;

  void run(const Job& job, Execution& into) { collect(submit(job), into); }
  Execution run(const Job& job) {
    Execution execution;
    run(job, execution);
    return execution;
  }

  /// Changes if the executor has learnt something about the system that invalidates all executions so far: the
  /// exploration must restart.
  virtual std::size_t version() const { return 0; }

  /// Takes over what another executor of the same system has learnt; the version may change.
  virtual void learn_from(const Executor& /*other*/) {}

  /// The number of processes seen so far. An index below it always denotes the same process.
  virtual std::size_t process_count() const = 0;
};

/// Makes all executors of a system know what any of them has learnt.
inline void share_knowledge(std::span<Executor* const> executors) {
  for (Executor* const executor : executors)
    for (const Executor* const other : executors)
      if (other != executor) executor->learn_from(*other);
}

}  // namespace mazurka

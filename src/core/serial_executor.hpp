// An executor without workers of its own: a job is executed when it is collected.
#pragma once

#include <vector>

#include "core/executor.hpp"

namespace mazurka {

class SerialExecutor : public Executor {
 public:
  JobHandle submit(const Job& job) final;
  void collect(JobHandle handle, Execution& into) final;

 protected:
  /// Executes the job. `into` may hold an older execution.
  virtual void execute(const Job& job, Execution& into) = 0;

 private:
  std::vector<Job> jobs_;
  std::vector<JobHandle> free_;  ///< unused entries of jobs_
};

}  // namespace mazurka

// An executor whose system has no processor of its own: a job is executed when it is collected.
#pragma once

#include <vector>

#include "core/executor.hpp"

namespace mazurka {

class SerialExecutor : public Executor {
 public:
  JobHandle submit(const Job& job) final;
  void collect(JobHandle handle, Execution& into) final;
  void abandon(JobHandle handle) final { free_.push_back(handle); }

 protected:
  /// `into` holds anything.
  virtual void execute(const Job& job, Execution& into) = 0;

 private:
  std::vector<Job> jobs_;
  std::vector<JobHandle> free_;  ///< of jobs_
};

}  // namespace mazurka

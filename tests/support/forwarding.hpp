// Stands between an explorer and a system: whatever the explorer collects is seen on the way.
#pragma once

#include <map>
#include <utility>

#include "core/executor.hpp"

namespace mazurka::testing {

class Forwarding : public Executor {
 public:
  explicit Forwarding(Executor& inner) : inner_(inner) {}

  JobHandle submit(const Job& job) final {
    const JobHandle handle = inner_.submit(job);
    jobs_[handle.number] = job;
    return handle;
  }
  void collect(JobHandle handle, Execution& into) final {
    const Job job = std::move(jobs_.extract(handle.number).mapped());
    inner_.collect(handle, into);
    seen(job, into);
  }
  void abandon(JobHandle handle) final {
    jobs_.erase(handle.number);
    inner_.abandon(handle);
  }
  std::size_t process_count() const override { return inner_.process_count(); }
  std::size_t version() const override { return inner_.version(); }

 protected:
  /// The execution of a job; it may be changed.
  virtual void seen(const Job& job, Execution& execution) = 0;

 private:
  Executor& inner_;
  std::map<std::uint32_t, Job> jobs_;
};

}  // namespace mazurka::testing

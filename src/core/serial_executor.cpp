#include "core/serial_executor.hpp"

namespace mazurka {

JobHandle SerialExecutor::submit(const Job& job) {
  if (free_.empty()) {
    free_.push_back({static_cast<std::uint32_t>(jobs_.size())});
    jobs_.emplace_back();
  }
  const JobHandle handle = free_.back();
  free_.pop_back();
  jobs_[handle.number] = job;
  return handle;
}

void SerialExecutor::collect(JobHandle handle, Execution& into) {
  free_.push_back(handle);
  execute(jobs_[handle.number], into);
}

}  // namespace mazurka

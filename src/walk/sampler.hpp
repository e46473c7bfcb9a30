// How one execution after the other is sampled: what each of them is told, and what is learnt from it. The choices
// themselves are made where the steps are taken (core/priorities.hpp), from the job's seed and guidance.
#pragma once

#include <cstdint>

#include "core/execution.hpp"
#include "core/job.hpp"

namespace mazurka::walk {

class Sampler {
 public:
  Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  virtual ~Sampler() = default;

  /// Executions are sampled from the first on: forgets what was learnt.
  virtual void begin() {}
  /// Sets the continuation of the next job and its guidance, which may depend on its seed.
  virtual void prepare(Job& job) = 0;
  /// The execution of the job that was prepared last.
  virtual void learn(const Execution&) {}
};

}  // namespace mazurka::walk

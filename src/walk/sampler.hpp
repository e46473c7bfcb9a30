// A sampling strategy: what each execution is told, and what is learnt from it. The scheduling decisions themselves are
// made where the steps are taken (core/priorities.hpp), from the job's seed and guidance.
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

  /// Sampling starts over: forgets what was learnt.
  virtual void begin() {}
  /// Sets the continuation of the next job and its guidance, which may depend on its seed.
  virtual void prepare(Job& job) = 0;
  /// Learns from the execution of the job prepared last.
  virtual void learn(const Execution&) {}
};

}  // namespace mazurka::walk

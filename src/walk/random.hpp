// Random walks: each execution chooses uniformly among the enabled steps.
#pragma once

#include "walk/sampling.hpp"

namespace mazurka::walk {

class RandomSampler final : public Sampler {
 public:
  void prepare(Job& job) override { job.continuation = Continuation::Random; }
};

/// Each execution depends on its seed alone, and can be repeated from it.
Statistics explore_random(Executor& executor, const SamplingOptions& options, Listener& listener);

}  // namespace mazurka::walk

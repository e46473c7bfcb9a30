// Random walks: each execution chooses uniformly among the enabled steps.
#pragma once

#include "walk/sampling.hpp"

namespace mazurka::walk {

class RandomSampler final : public Sampler {
 public:
  void prepare(Job& job) override { job.continuation = Continuation::Random; }
};

/// Any one of these executions can be had again by itself: it depends on its seed alone.
Statistics explore_random(Executor& executor, const SamplingOptions& options, Listener& listener);

}  // namespace mazurka::walk

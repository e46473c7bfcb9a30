// Partial-order sampling: random priorities of steps (core/priorities.hpp).
#pragma once

#include "walk/sampler.hpp"

namespace mazurka::walk {

class PosSampler final : public Sampler {
 public:
  void prepare(Job& job) override { job.continuation = Continuation::Pos; }
};

}  // namespace mazurka::walk

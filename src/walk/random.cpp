#include "walk/random.hpp"

namespace mazurka::walk {

Statistics explore_random(Executor& executor, const SamplingOptions& options, Listener& listener) {
  RandomSampler sampler;
  return sample(executor, sampler, options, listener);
}

}  // namespace mazurka::walk

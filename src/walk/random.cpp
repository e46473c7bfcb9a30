#include "walk/random.hpp"

#include "core/account.hpp"
#include "core/interrupt.hpp"

namespace mazurka::walk {

Statistics explore_random(Executor& executor, const RandomOptions& options, Listener& listener) {
  Statistics statistics;
  Job job;
  job.continuation = Continuation::Random;
  job.max_steps = options.max_steps;
  for (std::uint64_t number = 0; number < options.executions && !interrupted(); ++number) {
    job.seed = options.seed + number;
    if (!account(executor.run(job), number, statistics, listener)) break;
  }
  return statistics;
}

}  // namespace mazurka::walk

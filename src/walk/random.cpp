#include "walk/random.hpp"

#include "core/account.hpp"
#include "core/interrupt.hpp"

namespace mazurka::walk {

Statistics explore_random(Executor& executor, const RandomOptions& options, Listener& listener) {
  Statistics statistics;
  Execution execution;
  Job job;
  const std::size_t version = executor.version();
  job.continuation = Continuation::Random;
  job.max_steps = options.max_steps;
  job.learns = true;
  for (std::uint64_t number = 0; number < options.executions && !interrupted(); ++number) {
    job.seed = options.seed + number;
    executor.run(job, execution);
    if (executor.version() != version) {
      listener.on_new_beginning();
      return explore_random(executor, options, listener);
    }
    if (!account(execution, number, statistics, listener)) break;
  }
  return statistics;
}

}  // namespace mazurka::walk

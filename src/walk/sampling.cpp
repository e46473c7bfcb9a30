#include "walk/sampling.hpp"

#include <algorithm>
#include <bit>

#include "core/account.hpp"
#include "core/interrupt.hpp"

namespace mazurka::walk {
namespace {

constexpr std::uint64_t kLong = 1U << 16;  // length of an execution, in steps
constexpr std::uint64_t kShort = 64;

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …, counting from 1.
std::uint64_t luby(std::uint64_t number) {
  for (;;) {
    const std::uint64_t power = std::bit_floor(number);
    if (number == 2 * power - 1) return power;
    number -= power - 1;
  }
}

}  // namespace

Statistics sample(Executor& executor, Sampler& sampler, const SamplingOptions& options, Listener& listener) {
  Statistics statistics;
  Execution execution;
  Job job;
  const std::size_t version = executor.version();
  job.bound = options.bound;
  job.max_steps = std::min(options.max_steps, kLong);
  job.learns = true;
  sampler.begin();
  std::uint64_t short_since = 0;  // number of the first execution with a limited length; 0: none yet
  for (std::uint64_t number = 0; number < options.executions && !interrupted(); ++number) {
    job.seed = options.seed + number;
    if (short_since != 0) job.max_steps = std::min(options.max_steps, kShort * luby(number - short_since + 1));
    sampler.prepare(job);
    executor.run(job, execution);
    if (executor.version() != version) {
      listener.on_new_beginning();
      if (options.coverage != nullptr) options.coverage->clear();
      return sample(executor, sampler, options, listener);
    }
    sampler.learn(execution);
    if (options.coverage != nullptr) options.coverage->add(execution);
    if (!account(execution, number, statistics, listener)) break;
    if (short_since == 0 && (execution.stopped_by & kStoppedByLength) != 0 && job.max_steps < options.max_steps)
      short_since = number + 1;
  }
  return statistics;
}

}  // namespace mazurka::walk

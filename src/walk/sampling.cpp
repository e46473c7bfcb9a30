#include "walk/sampling.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <thread>

#include "core/interrupt.hpp"
#include "core/record_outcome.hpp"

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

/// The jobs of sampled executions, by their number.
class Jobs {
 public:
  Jobs(Sampler& sampler, const SamplingOptions& options) : sampler_(sampler), options_(options) {
    job_.bound = options.bound;
    job_.max_steps = std::min(options.max_steps, kLong);
    job_.learns = true;
  }

  const Job& job(std::uint64_t number) {
    job_.seed = options_.seed + number;
    if (short_since_ != 0) job_.max_steps = std::min(options_.max_steps, kShort * luby(number - short_since_ + 1));
    sampler_.prepare(job_);
    return job_;
  }
  /// What came of the job with this number. True where those after it are to be shorter from now on.
  bool makes_others_short(std::uint64_t number, const Execution& execution) {
    if (short_since_ != 0 || (execution.stopped_by & kStoppedByLength) == 0 || kLong >= options_.max_steps)
      return false;
    short_since_ = number + 1;
    return true;
  }

 private:
  Sampler& sampler_;
  const SamplingOptions& options_;
  Job job_;
  std::uint64_t short_since_ = 0;  ///< the number of the first execution of such a length; 0: none is
};

/// Executes some jobs, all executors at the same time.
void run_all(const std::vector<Executor*>& executors, const std::vector<Job>& jobs, std::vector<Execution>& into) {
  std::vector<std::exception_ptr> failures(executors.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(executors.size(), jobs.size()); ++i)
    threads.emplace_back([&, i] {
      try {
        for (std::size_t j = i; j < jobs.size() && !interrupted(); j += executors.size())
          executors[i]->run(jobs[j], into[j]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

/// How many executions are run before they are looked at: many, unless they would fill the memory.
std::uint64_t block_size(std::size_t executors, std::uint64_t longest) {
  constexpr std::uint64_t kMost = 256;
  constexpr std::uint64_t kMostEvents = 1U << 18;
  return longest == 0 ? 1 : executors * std::clamp<std::uint64_t>(kMostEvents / longest, 1, kMost);
}

std::vector<std::size_t> versions(const std::vector<Executor*>& executors) {
  std::vector<std::size_t> all;
  for (const Executor* const executor : executors) all.push_back(executor->version());
  return all;
}

}  // namespace

Statistics sample(Executor& executor, Sampler& sampler, const SamplingOptions& options, Listener& listener) {
  return sample(std::vector{&executor}, sampler, options, listener);
}

Statistics sample(const std::vector<Executor*>& executors, Sampler& sampler, const SamplingOptions& options,
                  Listener& listener) {
  share_knowledge(executors);
  Statistics statistics;
  const std::vector<std::size_t> before = versions(executors);
  sampler.begin();
  Jobs jobs(sampler, options);
  std::vector<Job> block;
  std::vector<Execution> executions;
  // The first one is executed by itself: most processes are known after it, and have the same index every time.
  std::uint64_t size = 1;
  for (std::uint64_t number = 0; number < options.executions && !interrupted();) {
    block.clear();
    for (std::uint64_t i = 0; i < size && number + i < options.executions; ++i) block.push_back(jobs.job(number + i));
    executions.resize(std::max(executions.size(), block.size()));
    if (block.size() == 1)
      executors[0]->run(block[0], executions[0]);
    else
      run_all(executors, block, executions);
    if (versions(executors) != before) {
      listener.on_new_beginning();
      if (options.coverage != nullptr) options.coverage->clear();
      return sample(executors, sampler, options, listener);
    }
    if (block.size() > 1 && interrupted()) break;  // some of them were not executed
    for (std::size_t i = 0; i < block.size(); ++i) {
      sampler.learn(executions[i]);
      if (options.coverage != nullptr) options.coverage->add(executions[i]);
      if (!record_outcome(executions[i], number, statistics, listener)) return statistics;
      if (jobs.makes_others_short(number++, executions[i])) break;
    }
    if (executors.size() > 1) size = block_size(executors.size(), statistics.max_depth);
  }
  return statistics;
}

}  // namespace mazurka::walk

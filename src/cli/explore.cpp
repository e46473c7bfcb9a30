#include "cli/explore.hpp"

#include "dpor/exploration.hpp"
#include "walk/naive.hpp"
#include "walk/random.hpp"

namespace mazurka::cli {
namespace {

std::uint64_t microseconds(double seconds) { return static_cast<std::uint64_t>(seconds * 1e6); }

Exploration explore_dpor(const ExploreOptions& options, Executor& executor, Listener& listener) {
  dpor::Options dpor;
  if (options.algorithm == "source") dpor.algorithm = dpor::Algorithm::Source;
  if (options.algorithm == "observers") dpor.algorithm = dpor::Algorithm::Observers;
  if (options.max_executions != 0) dpor.max_executions = options.max_executions;
  dpor.max_steps = options.max_steps;
  dpor.max_context_switches = options.context_switches;
  const dpor::Result result = dpor::Exploration(executor, dpor).run(listener);
  return {result.statistics,
          result.complete,
          {{"races", result.races},
           {"planned_steps", result.planned},
           {"probes", result.probes},
           {"skipped_by_context_switches", result.skipped},
           {"microseconds_executing", microseconds(result.seconds.executor)},
           {"microseconds_probing", microseconds(result.seconds.probes)},
           {"microseconds_finding_races", microseconds(result.seconds.races)},
           {"microseconds_planning", microseconds(result.seconds.insertion)}}};
}

}  // namespace

Exploration explore(const ExploreOptions& options, Executor& executor, Listener& listener) {
  if (options.algorithm == "naive") {
    walk::NaiveOptions naive;
    if (options.max_executions != 0) naive.max_executions = options.max_executions;
    naive.max_steps = options.max_steps;
    const walk::NaiveResult result = walk::explore_naive(executor, naive, listener);
    return {result.statistics, result.complete, {}};
  }
  if (options.algorithm == "random") {
    walk::RandomOptions random;
    random.seed = options.seed;
    random.max_steps = options.max_steps;
    if (options.max_executions != 0) random.executions = options.max_executions;
    return {walk::explore_random(executor, random, listener), false, {}};
  }
  return explore_dpor(options, executor, listener);
}

void add_explore_options(CLI::App& command, ExploreOptions& options) {
  command
      .add_option("--algorithm", options.algorithm,
                  "optimal, source: every class of equivalent executions; observers: stores that nobody reads are not "
                  "ordered; random: random walks; naive: every interleaving")
      ->check(CLI::IsMember({"optimal", "source", "observers", "random", "naive"}))
      ->capture_default_str();
  command.add_option("--max-executions", options.max_executions,
                     "Stop after this many executions (random: 10000 unless said otherwise)");
  command.add_option("--max-steps", options.max_steps, "Cut an execution after this many steps")->capture_default_str();
  command.add_option("--context-switches", options.context_switches,
                     "Plan nothing (optimal, source, observers) that takes more changes of thread than this; what is "
                     "left out makes the result incomplete");
  command.add_option("--seed", options.seed, "Of random walks: execution i uses seed + i")->capture_default_str();
}

}  // namespace mazurka::cli

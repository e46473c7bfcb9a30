#include "cli/explore.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/limits.hpp"
#include "cli/output_file.hpp"
#include "core/error.hpp"
#include "dpor/explore.hpp"
#include "unfolding/dot.hpp"
#include "unfolding/explorer.hpp"
#include "walk/coverage.hpp"
#include "walk/naive.hpp"
#include "walk/pct.hpp"
#include "walk/pos.hpp"
#include "walk/random.hpp"
#include "walk/rff.hpp"
#include "walk/stateful_naive.hpp"
#include "walk/turns.hpp"

namespace mazurka::cli {
namespace {

std::uint64_t microseconds(double seconds) { return static_cast<std::uint64_t>(seconds * 1e6); }

Deepening::Limits limits_of(const ExploreOptions& options) {
  Deepening::Limits limits;
  limits.steps = options.max_steps;
  limits.threads = options.max_threads;
  if (options.max_executions != 0) limits.executions = options.max_executions;
  return limits;
}

/// What each explorer of several did.
void add_explorers(const std::vector<Statistics>& explorers, ExplorationResult& answer) {
  if (explorers.size() < 2) return;
  constexpr double kMicroseconds = 1e6;
  for (std::size_t i = 0; i < explorers.size(); ++i) {
    answer.details.emplace_back(fmt::format("explorer_{}_executions", i + 1), explorers[i].runs());
    answer.details.emplace_back(fmt::format("microseconds_explorer_{}_waiting", i + 1),
                                static_cast<std::uint64_t>(kMicroseconds * explorers[i].waited));
  }
}

ExplorationResult explore_dpor(const ExploreOptions& options, const std::vector<Executor*>& executors,
                               Listener& listener, const Keeping& keeping) {
  dpor::Options dpor;
  if (options.algorithm == "source") dpor.algorithm = dpor::Algorithm::Source;
  if (options.algorithm == "observers") dpor.algorithm = dpor::Algorithm::Observers;
  if (options.initial == "first") dpor.initial = dpor::Initial::First;
  dpor.max_steps = options.max_steps;
  dpor.max_context_switches = options.context_switches;
  dpor.keeper = keeping.writer;
  dpor.team = keeping.team;
  if (keeping.from != nullptr) dpor.from = &keeping.from->search;
  Depth depth;
  std::uint64_t skipped = 0;  // what one leaves out, those that go deeper would leave out too
  const auto explore_within = [&](const Bound& bound, std::uint64_t executions, Deepening& told) {
    dpor.bound = bound;
    dpor.max_executions = executions;
    if (keeping.writer != nullptr) keeping.writer->set_series(told);
    const dpor::Result one = dpor::explore(executors, dpor, told);
    dpor.from = nullptr;  // the next one begins by itself
    skipped = std::max(skipped, one.skipped);
    return OneExploration<dpor::Result>{one, one.skipped == 0};
  };
  const dpor::Result result = explore_deeper(*executors[0], limits_of(options), listener, depth, explore_within,
                                             keeping.from != nullptr ? &keeping.from->deepening : nullptr);
  ExplorationResult answer{result.statistics,
                           result.complete,
                           {{"races", result.races},
                            {"planned_steps", result.planned},
                            {"probes", result.probes},
                            {kSkippedBySwitches, skipped},
                            {"microseconds_executing", microseconds(result.seconds.executor)},
                            {"microseconds_probing", microseconds(result.seconds.probes)},
                            {"microseconds_finding_races", microseconds(result.seconds.races)},
                            {"microseconds_planning", microseconds(result.seconds.insertion)}},
                           depth};
  add_explorers(result.explorers, answer);
  return answer;
}

ExplorationResult explore_unfolding(Context& context, const ExploreOptions& options, Executor& executor,
                                    const Names& names, Listener& listener) {
  unfolding::Options unfolding;
  if (options.alternatives != "optimal") unfolding.alternatives = std::stoul(options.alternatives);
  unfolding.keep_events = options.keep_events || !options.dot.empty();
  unfolding.max_steps = options.max_steps;
  unfolding.cutoffs = options.cutoffs;
  if (options.cache != 0) unfolding.states.cache = options.cache;
  unfolding.states.exact = options.exact;
  std::unique_ptr<unfolding::Explorer> explorer;
  Depth depth;
  const auto explore_states = [&] {  // all of them come to an end
    if (options.max_executions != 0) unfolding.max_executions = options.max_executions;
    explorer = std::make_unique<unfolding::Explorer>(executor, unfolding);
    return explorer->run(listener);
  };
  const unfolding::Result result =
      options.cutoffs ? explore_states()
                      : explore_deeper(executor, limits_of(options), listener, depth,
                                       [&](const Bound& bound, std::uint64_t executions, Listener& told) {
                                         unfolding.bound = bound;
                                         unfolding.max_executions = executions;
                                         explorer = std::make_unique<unfolding::Explorer>(executor, unfolding);
                                         return OneExploration<unfolding::Result>{explorer->run(told)};
                                       });
  if (!options.dot.empty()) write_beside_answer(context, options.dot, unfolding::dot(explorer->events(), names));
  ExplorationResult answer{result.statistics,
                           result.complete,
                           {{"unfolding_events", result.events_added},
                            {"peak_events", result.peak_events},
                            {"silent_ends", result.silent_ends},
                            {"clean_ups", result.clean_ups},
                            {"probes", result.probes},
                            {"alternatives_computed", result.comb.computed},
                            {"alternatives_found", result.comb.found},
                            {"comb_spikes", result.comb.spikes},
                            {"comb_spike_events", result.comb.spike_size},
                            {"comb_largest_spike", result.comb.largest_spike},
                            {"microseconds_executing", microseconds(result.seconds_executing)},
                            {"microseconds_adding_events", microseconds(result.seconds_adding)},
                            {"microseconds_conflicting_extensions", microseconds(result.seconds_extending)},
                            {"microseconds_alternatives", microseconds(result.seconds_alternatives)}},
                           depth};
  const auto add_distances = [&](const char* of, const unfolding::Distances& distances) {
    for (std::size_t i = 0; i < distances.size(); ++i)
      if (distances[i] != 0)
        answer.details.emplace_back(fmt::format("{}_distance_{}{}", of, i, i + 1 == distances.size() ? "_or_more" : ""),
                                    distances[i]);
  };
  if (options.cutoffs) {
    answer.details.emplace_back("cutoffs", result.cutoffs.cutoffs);
    answer.details.emplace_back("local_states", result.cutoffs.states);
    answer.details.emplace_back("cache_hits", result.cutoffs.cache_hits);
    answer.details.emplace_back("cache_emptied", result.cutoffs.emptied);
    if (options.exact) {
      answer.details.emplace_back("hash_collisions", result.cutoffs.collisions);
      answer.details.emplace_back("bytes_of_states", result.cutoffs.bytes);
    }
  }
  add_distances("causality", result.causality_distances);
  add_distances("conflict", result.conflict_distances);
  return answer;
}

/// A hunt takes turns. Networks have no places in code, which is what reads-from pairs are of.
std::unique_ptr<walk::Sampler> sampler_of(const ExploreOptions& options, bool is_program) {
  if (options.hunt > 0) {
    std::vector<std::unique_ptr<walk::Sampler>> all;
    all.push_back(std::make_unique<walk::PosSampler>());
    all.push_back(std::make_unique<walk::PctSampler>(2));
    if (is_program) all.push_back(std::make_unique<walk::RffSampler>());
    all.push_back(std::make_unique<walk::PctSampler>(options.pct_depth));
    all.push_back(std::make_unique<walk::RandomSampler>());
    return std::make_unique<walk::Turns>(std::move(all));
  }
  if (options.algorithm == "pct") return std::make_unique<walk::PctSampler>(options.pct_depth);
  if (options.algorithm == "pos") return std::make_unique<walk::PosSampler>();
  if (options.algorithm == "random") return std::make_unique<walk::RandomSampler>();
  if (!is_program)
    throw InputError("--algorithm=rff is for programs: it aims at reads-from pairs of code locations; use pct or pos");
  return std::make_unique<walk::RffSampler>();
}

ExplorationResult explore_samples(const ExploreOptions& options, const std::vector<Executor*>& executors,
                                  bool is_program, Listener& listener) {
  walk::SamplingOptions sampling;
  walk::Coverage coverage;
  sampling.seed = options.seed;
  sampling.max_steps = options.max_steps;
  sampling.bound.threads = options.max_threads;
  if (options.hunt > 0) sampling.executions = UINT64_MAX;
  if (options.max_executions != 0) sampling.executions = options.max_executions;
  const bool measured = options.hunt > 0 || options.algorithm != "random";  // which is to be as fast as can be
  if (measured) sampling.coverage = &coverage;
  const std::unique_ptr<walk::Sampler> sampler = sampler_of(options, is_program);
  ExplorationResult answer{walk::sample(executors, *sampler, sampling, listener), false, {}};
  if (measured) answer.details.emplace_back(kDistinctClasses, coverage.classes());
  if (measured && is_program) answer.details.emplace_back(kReadsFromPairs, coverage.pairs());
  return answer;
}

std::string check_alternatives(const std::string& text) {
  const bool number = !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
  return text == "optimal" || (number && std::stoul(text) > 0) ? "" : "give `optimal` or a number above 0";
}

}  // namespace

bool is_sampling(const ExploreOptions& options) {
  constexpr std::string_view kSampling[] = {"random", "pct", "pos", "rff"};
  return options.hunt > 0 || std::ranges::count(kSampling, options.algorithm) != 0;
}

std::uint32_t explorer_count(const ExploreOptions& options) {
  if (options.jobs == 1) return 1;
  const std::string& algorithm = options.algorithm;
  if (options.hunt > 0)
    throw InputError("-j is for optimal, source, observers and random; a hunt learns from each execution for the next");
  if (algorithm != "optimal" && algorithm != "source" && algorithm != "observers" && algorithm != "random")
    throw InputError(fmt::format("-j is for optimal, source, observers and random; {} has one explorer", algorithm));
  if (options.context_switches != UINT32_MAX)
    throw InputError("what --context-switches leaves out depends on the order of exploration; use -j 1");
  return jobs_or_processors(options.jobs);
}

ExplorationResult explore(Context& context, const ExploreOptions& options, const std::vector<Executor*>& executors,
                          const Names& names, bool is_program, Listener& listener, const Keeping& keeping) {
  Executor& executor = *executors[0];
  if (is_sampling(options)) return explore_samples(options, executors, is_program, listener);
  if (options.algorithm == "unfolding") return explore_unfolding(context, options, executor, names, listener);
  if (options.algorithm == "naive") {
    walk::NaiveOptions naive;
    naive.max_steps = options.max_steps;
    Depth depth;
    const walk::NaiveResult result =
        explore_deeper(executor, limits_of(options), listener, depth,
                       [&](const Bound& bound, std::uint64_t executions, Listener& told) {
                         naive.bound = bound;
                         naive.max_executions = executions;
                         return OneExploration<walk::NaiveResult>{walk::explore_naive(executor, naive, told)};
                       });
    return {result.statistics, result.complete, {}, depth};
  }
  if (options.algorithm == "stateful-naive") {
    walk::NaiveOptions naive;
    naive.max_steps = options.max_steps;
    if (options.max_executions != 0) naive.max_executions = options.max_executions;
    const walk::StatefulResult result = walk::explore_states(executor, naive, listener);
    return {result.statistics, result.complete, {{"states", result.states}, {"transitions", result.transitions}}};
  }
  return explore_dpor(options, executors, listener, keeping);
}

void add_explore_options(CLI::App& command, ExploreOptions& options) {
  CLI::Option* algorithm =
      command
          .add_option(
              "--algorithm", options.algorithm,
              "optimal, source, unfolding: every equivalence class of executions; observers: the same, but stores that "
              "nobody reads are unordered; naive: every interleaving; stateful-naive: every state. Sampling, which "
              "proves nothing: random (walks); pct (random thread priorities, lowered at random steps); pos (random "
              "priorities of steps); rff (fuzzing towards new reads-from pairs)")
          ->check(CLI::IsMember({"optimal", "source", "observers", "unfolding", "naive", "stateful-naive", "random",
                                 "pct", "pos", "rff"}))
          ->capture_default_str();
  command
      .add_option("-j,--jobs", options.jobs,
                  "For optimal, source, observers, random: the number of explorers that run in parallel, each with its "
                  "own worker; 0: one per processor")
      ->check(check_jobs)
      ->capture_default_str();
  command
      .add_option("--initial", options.initial,
                  "For source: which initial of a reversal to schedule: last, or first as in published numbers")
      ->check(CLI::IsMember({"first", "last"}))
      ->capture_default_str();
  command
      .add_option("--alternatives", options.alternatives,
                  "For unfolding: optimal, or a number K for K-partial alternatives")
      ->check(check_alternatives)
      ->capture_default_str();
  command.add_flag("--keep-events", options.keep_events,
                   "For unfolding: keep all events, so that unfolding_events counts the distinct ones");
  command.add_flag("--cutoffs", options.cutoffs,
                   "For unfolding: stop at states that are explored elsewhere, so that programs and networks need not "
                   "terminate");
  command
      .add_option("--cache", options.cache,
                  "With --cutoffs: remember at most this many states of discarded events (default: all)")
      ->check(check_count);
  command.add_flag("--exact", options.exact, "With --cutoffs: compare states byte by byte, not only by 128-bit hashes");
  command.add_option("--dot", options.dot, "For unfolding: draw it for Graphviz (implies --keep-events)");
  command
      .add_option("--max-executions", options.max_executions,
                  "Stop after this many executions (default for random, pct, pos, rff: 10000)")
      ->check(check_count);
  command.add_option("--max-steps", options.max_steps, "Cut an execution after this many steps")
      ->check(check_count)
      ->capture_default_str();
  command
      .add_option("--max-threads", options.max_threads,
                  "Cut an execution where it creates a thread that, with main and those it depends on, makes more than "
                  "this many")
      ->check(check_count);
  command
      .add_option("--context-switches", options.context_switches,
                  "For optimal, source, observers: explore schedules with at most this many context switches; what is "
                  "left out makes the result incomplete")
      ->check(check_natural);
  command
      .add_option(
          "--hunt", options.hunt,
          "Hunt bugs for this many seconds: sample executions with pos, pct, rff and random in turn, and count the "
          "distinct ones")
      ->check(check_seconds)
      ->excludes(algorithm);
  command
      .add_option("--pct-depth", options.pct_depth,
                  "For pct: the depth d of the bugs to find; priorities change at d - 1 random steps")
      ->check(CLI::Range(1U, walk::PctSampler::kMaxDepth))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "For sampling: execution i uses seed + i")
      ->check(check_natural)
      ->capture_default_str();
}

}  // namespace mazurka::cli

// Which explorer `check` uses, and what it is told.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/checkpoint.hpp"
#include "cli/command.hpp"
#include "core/bound.hpp"
#include "core/deepening.hpp"
#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/names.hpp"
#include "core/statistics.hpp"
#include "dpor/team.hpp"

namespace mazurka::cli {

struct ExploreOptions {
  std::string algorithm = "optimal";
  std::uint32_t jobs = 1;            // explorers at the same time; 0: one for each processor
  std::uint64_t max_executions = 0;  // 0: the algorithm's own default
  std::uint64_t max_steps = 1'000'000;
  std::uint32_t max_threads = Bound::kUnlimited;
  std::uint32_t context_switches = UINT32_MAX;
  std::uint64_t seed = 1;
  std::uint32_t pct_depth = 3;
  double hunt = 0;               // seconds; 0: no hunt
  std::string initial = "last";  // of source
  // Of the unfolding.
  std::string alternatives = "optimal";
  bool keep_events = false;
  bool cutoffs = false;
  std::uint64_t cache = 0;  // states; 0: without a limit
  bool exact = false;       // states are compared byte by byte
  std::string dot;
};

/// Whether executions are sampled, which proves nothing.
bool is_sampling(const ExploreOptions& options);
/// Whether it is states that are explored, so that a system need not come to an end.
inline bool explores_states(const ExploreOptions& options) {
  return options.cutoffs || options.algorithm == "stateful-naive";
}

void add_explore_options(CLI::App& command, ExploreOptions& options);

/// The detail that says how much --context-switches left out.
inline constexpr const char* kSkippedBySwitches = "skipped_by_context_switches";

/// Details of sampled executions.
inline constexpr const char* kDistinctClasses = "distinct_classes";
inline constexpr const char* kReadsFromPairs = "reads_from_pairs";

struct ExplorationResult {
  Statistics statistics;
  bool complete = false;
  std::vector<std::pair<std::string, std::uint64_t>> details;  ///< of the algorithm, for --stats
  Depth depth = {};                                            ///< of the last of several explorations
};

/// How many explorers there are to be. Throws InputError where the algorithm, or another option, allows for one only.
std::uint32_t explorer_count(const ExploreOptions& options);

/// Whether the search can be kept in a file (checkpoint.hpp), and shared by several ranks (ranks.hpp).
inline bool can_be_kept(const ExploreOptions& options) {
  return options.hunt == 0 &&
         (options.algorithm == "optimal" || options.algorithm == "source" || options.algorithm == "observers");
}

/// Where it is kept, and what it goes on with; null: not at all, and nothing.
struct Keeping {
  CheckpointWriter* writer = nullptr;
  const Checkpoint* from = nullptr;
  dpor::Team* team = nullptr;  ///< explorers in other ranks; null: there are none
};

/// `executors`: one for each explorer.
ExplorationResult explore(Context& context, const ExploreOptions& options, const std::vector<Executor*>& executors,
                          const Names& names, bool is_program, Listener& listener, const Keeping& keeping);

}  // namespace mazurka::cli

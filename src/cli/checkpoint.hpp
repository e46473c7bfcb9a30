// check --checkpoint and --resume: a search in a file, so that nothing is lost when it stops.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/system.hpp"
#include "core/deepening.hpp"
#include "core/footprints.hpp"
#include "core/step.hpp"
#include "dpor/search_state.hpp"
#include "program/executor.hpp"

namespace mazurka::cli {

/// All that a search consists of. Executions are kept as their schedules, and run again.
struct Checkpoint {
  struct Warning {
    std::uint32_t warning = 0;
    std::uint64_t executions = 0;
    std::uint64_t most_before = 0;
    std::vector<Step> first;
  };

  std::string hash;                                            ///< of the system
  std::vector<std::string> options;                            ///< `name=value` of those that must not change
  std::optional<program::ProgramExecutor::Knowledge> program;  ///< not of a network
  std::vector<FootprintValue> footprints;                      ///< by their numbers
  Deepening::State deepening;
  dpor::SearchState search;
  std::vector<std::vector<Step>> found;  ///< bugs
  std::vector<Warning> warnings;
};

std::string to_text(const Checkpoint& checkpoint);
/// Throws InputError where the file is no checkpoint, of another version, or damaged.
Checkpoint parse_checkpoint(const std::string& text, const std::string& file);
/// Throws InputError, with the name of what differs, if the checkpoint is of another system or other options.
void expect_same(const Checkpoint& checkpoint, const std::string& hash, const std::vector<std::string>& options,
                 const std::string& file);

/// Everything but options, series and search.
Checkpoint describe(System& system, const std::vector<Execution>& found);
/// Makes the system what it was then, and returns the bugs that were found. Throws InputError where they do not show
/// again.
std::vector<Execution> restore(const Checkpoint& checkpoint, System& system);

/// Writes a checkpoint every so often, and when the end is asked for; then it ends the exploration.
class CheckpointWriter final : public dpor::SearchKeeper {
 public:
  using Describe = std::function<Checkpoint()>;

  /// `describe` gives everything but series and search.
  CheckpointWriter(std::string file, double seconds_between, Describe describe)
      : file_(std::move(file)), between_(seconds_between), describe_(std::move(describe)) {}

  bool is_due() override;
  void keep(const dpor::SearchState& state) override;
  /// The series of explorations that the search is one of.
  void set_series(const Deepening& series) { series_ = &series; }

  bool has_written() const { return has_written_; }
  /// Why the last one could not be written; empty where it was.
  const std::string& failure() const { return failure_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::string file_;
  std::chrono::duration<double> between_;
  Describe describe_;
  Clock::time_point last_ = Clock::now();
  const Deepening* series_ = nullptr;
  bool has_written_ = false;
  std::string failure_;
};

}  // namespace mazurka::cli

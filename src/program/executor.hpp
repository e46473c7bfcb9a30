// A native program as a system to explore: jobs go to worker processes, executions come back.
//
// Every record of an execution that repeats an earlier one is compared with it: up to the first step where two
// schedules differ, everything must be the same, or the program has a source of nondeterminism that is not under
// control. The execution is then reported as Outcome::Diverged with both events.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/executor.hpp"
#include "core/process_table.hpp"
#include "core/warnings.hpp"
#include "program/exchange.hpp"
#include "program/worker.hpp"

namespace mazurka::program {

class ProgramExecutor : public Executor {
 public:
  explicit ProgramExecutor(const Configuration& configuration);

  /// A worker that is idle starts at once; otherwise the first that becomes idle does, when a job is collected.
  JobHandle submit(const Job& job) override;
  void collect(JobHandle handle, Execution& into) override;
  std::size_t process_count() const override { return processes_.size(); }
  std::size_t version() const override { return waits_.size(); }
  /// Where threads wait in loops, as far as that is known.
  const std::vector<protocol::Wait>& waits() const { return waits_; }
  /// Data races that are suppressed or annotated, in any execution so far.
  const std::vector<protocol::MeantRace>& meant_races() const { return meant_races_; }
  const ProcessTable& processes() const { return processes_; }
  /// The process with this path of creation. Before the first run it becomes known by this; afterwards kNoProcess where
  /// no execution had it.
  ProcessIndex announce(std::string_view path);

  /// As run(), with more effort: no site is in the code of `skipped`, but what called that, and the heap is known.
  Execution run_for_report(const Job& job, std::span<const protocol::CodeRange> skipped);

  /// What was dubious in any execution so far, and in how many.
  const WarningCounts& warnings() const { return warnings_; }
  WarningCounts& warnings() { return warnings_; }
  struct Goal {
    std::string name;
    bool reached = false;
  };
  /// Whether calls that wait for a minute or more were kept from timing out while others could move.
  bool has_long_waits() const { return has_long_waits_; }
  /// The goals that the program has declared, and whether any execution has reached them.
  std::vector<Goal> goals() const;
  /// Where the image of the program is loaded, the same in every worker: address - load_base() is its symbol's value.
  std::uint64_t load_base() const { return load_base_; }
  /// Where the frame of main begins, which also is the same everywhere.
  std::uint64_t main_frame() const { return main_frame_; }

  const std::string& binary() const { return configuration().binary; }
  const Configuration& configuration() const { return stations_[0]->worker.configuration(); }
  /// One of Configuration::workers.
  Worker& worker(std::size_t number = 0) { return stations_[number]->worker; }

 private:
  static constexpr std::uint32_t kIdle = UINT32_MAX;

  /// A worker and its channel.
  struct Station {
    Station(const Configuration& configuration, Segment& segment, std::uint32_t number)
        : worker(configuration, segment, number), exchange(worker.channel()) {}
    Worker worker;
    Exchange exchange;
    std::uint32_t task = kIdle;  ///< what it does
    std::uint64_t since = 0;     ///< when that was begun: a number
  };
  /// A job that was submitted and not collected.
  struct Task {
    enum class State : std::uint8_t { Queued, Running, Done };
    State state = State::Queued;
    Station* station = nullptr;  ///< while it is running
    Job job;                     ///< while it is queued
    Execution execution;         ///< once it is done
  };

  /// An idle one, or null.
  Station* idle_station();
  Station& busy_station();
  void start(Station& station, std::uint32_t task, const Job& job);
  /// Waits for what a busy station does and keeps the execution until it is collected.
  void settle(Station& station);
  /// Waits for what a busy station does.
  void finish(Station& station, Execution& into);
  /// Puts what the channel has to say into an execution. Throws DamagedSegment.
  void read(Station& station, Handover handover, Execution& into);
  void report_damage(Station& station, const char* what, Execution& into);
  void start_queued(Station& station);
  /// A station that is idle while nothing is queued.
  Station& free_station();
  void read_processes();
  /// Takes over what a worker has found out.
  void read_waits(const protocol::Channel& channel);
  void read_meant_races(const protocol::Channel& channel);
  /// The channel that an answer was read from last.
  const protocol::Channel& latest() const { return read_last_->worker.channel(); }
  void read_failure(Execution& execution) const;
  void read_printed(Execution& execution) const;
  void report_death(const Worker& worker, Handover handover, Execution& execution) const;
  void read_deltas(Execution& execution) const;
  void read_warnings(Execution& execution);
  /// `failing`: the warnings that count as errors.
  static void make_failure(Execution& execution, std::uint32_t failing);

  Segment segment_;
  std::vector<std::unique_ptr<Station>> stations_;
  const Station* read_last_ = nullptr;  ///< whose answer
  std::uint64_t started_ = 0;           ///< how many jobs
  std::vector<Task> tasks_;             ///< by handle
  std::vector<std::uint32_t> free_tasks_;
  std::deque<std::uint32_t> queue_;
  ProcessTable processes_;
  std::vector<protocol::ProcessEntry> process_entries_;  ///< the same as the segment should have them
  std::uint64_t load_base_ = 0;
  std::uint64_t main_frame_ = 0;
  WarningCounts warnings_;
  std::vector<protocol::Wait> waits_;
  std::vector<protocol::MeantRace> meant_races_;
  bool has_long_waits_ = false;
};

}  // namespace mazurka::program

// A native program as a system to explore: jobs go to worker processes, executions come back.
//
// Whatever an execution repeats of an earlier one is compared with it: up to the first step where two schedules differ,
// everything must be equal, or the program has a source of nondeterminism that is not under control. The execution is
// then reported as Outcome::Diverged with both events.
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
  /// Another executor of the same program, with a worker of its own, which another thread may use: number 1 to
  /// Configuration::explorers. Processes have the same indices in all of them.
  ProgramExecutor(const ProgramExecutor& first, std::uint32_t number);

  /// Starts the job at once if a worker is idle; otherwise on the first worker that becomes idle, when a job is
  /// collected.
  JobHandle submit(const Job& job) override;
  void collect(JobHandle handle, Execution& into) override;
  void learn_from(const Executor& other) override;
  struct Goal {
    std::string name;
    bool reached = false;
  };
  /// What executions have shown of the program, besides themselves.
  struct Knowledge {
    std::vector<protocol::ProcessEntry> processes;  ///< by their indices
    std::vector<protocol::Wait> waits;
    std::vector<protocol::IntendedRace> intended_races;
    std::vector<Goal> goals;
    bool has_long_waits = false;
    std::uint64_t load_base = 0;  ///< 0: not known
    std::uint64_t main_frame = 0;
  };
  Knowledge knowledge() const;
  /// Takes over what an earlier process knew, addresses included: if the program lies elsewhere now, the first
  /// execution throws InputError. \pre Nothing was executed.
  void restore(const Knowledge& knowledge);
  /// Takes over what executors in other ranks know. If the program lies elsewhere here, the next execution throws
  /// InputError. \pre No job is running.
  void learn(const Knowledge& knowledge);
  /// Learns of the processes that other executors have met, and where the program lies.
  void refresh();
  std::size_t process_count() const override { return processes_.size(); }
  std::size_t version() const override { return waits_.size(); }
  /// The waiting sites known so far.
  const std::vector<protocol::Wait>& waits() const { return waits_; }
  /// Suppressed or annotated data races of all executions so far.
  const std::vector<protocol::IntendedRace>& intended_races() const { return intended_races_; }
  const ProcessTable& processes() const { return processes_; }
  /// The process with this path of creation. Before the first run this adds it; afterwards it is kNoProcess if no
  /// execution had it.
  ProcessIndex announce(std::string_view path);

  /// As run(), with more effort: no site is in the code of `skipped`, but in its callers, and heap blocks are recorded.
  Execution run_for_report(const Job& job, std::span<const protocol::CodeRange> skipped);

  /// The warnings of all executions so far, with counts.
  const WarningCounts& warnings() const { return warnings_; }
  WarningCounts& warnings() { return warnings_; }
  /// Whether time-outs of a minute or more were not explored while other threads were enabled.
  bool has_long_waits() const { return has_long_waits_; }
  /// The goals that the program has declared, and whether any execution has reached them.
  std::vector<Goal> goals() const;
  /// The load address of the program, the same in every worker: address - load_base() is its symbol's value.
  std::uint64_t load_base() const { return load_base_; }
  /// The start of main's frame, the same in every worker.
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
    std::uint32_t task = kIdle;  ///< the task it works on
    std::uint64_t since = 0;     ///< serial number of its start
  };
  /// A job that was submitted and not collected.
  struct Task {
    enum class State : std::uint8_t { Queued, Running, Done };
    State state = State::Queued;
    Station* station = nullptr;  ///< while it is running
    Job job;                     ///< while it is queued
    Execution execution;         ///< once it is done
  };

  /// An idle station, or null.
  Station* idle_station();
  Station& busy_station();
  void start(Station& station, std::uint32_t task, const Job& job);
  /// Waits for a busy station and keeps its execution until it is collected.
  void settle(Station& station);
  /// Waits for a busy station.
  void finish(Station& station, Execution& into);
  /// Reads the answer in the channel into an execution. Throws DamagedSegment.
  void read(Station& station, Handover handover, Execution& into);
  void report_damage(Station& station, const char* what, Execution& into);
  void start_queued(Station& station);
  /// Waits until no job is running or queued, and returns an idle station.
  Station& free_station();
  void learn_waits(const std::vector<protocol::Wait>& waits);
  void read_processes();
  /// Where there is a registry: makes the processes that a worker has met those of all ranks. False if they have met
  /// others meanwhile: then the execution is void, and so is its worker, which has put threads in the wrong place.
  bool agree_on_processes(Station& station);
  /// Takes over what a worker has learnt.
  void read_waits(const protocol::Channel& channel);
  void read_intended_races(const protocol::Channel& channel);
  /// The channel of the last answer.
  const protocol::Channel& latest() const { return read_last_->worker.channel(); }
  void read_failure(Execution& execution) const;
  void read_printed(Execution& execution) const;
  void report_death(const Worker& worker, Handover handover, Execution& execution) const;
  void read_deltas(Execution& execution) const;
  void read_warnings(Execution& execution);
  /// `failing`: the warnings that count as errors.
  static void make_failure(Execution& execution, std::uint32_t failing);

  std::shared_ptr<Segment> segment_;
  std::vector<std::unique_ptr<Station>> stations_;
  const Station* read_last_ = nullptr;  ///< the station of the last answer
  std::uint64_t started_ = 0;           ///< number of jobs started
  std::vector<Task> tasks_;             ///< by handle
  std::vector<std::uint32_t> free_tasks_;
  std::deque<std::uint32_t> queue_;
  ProcessTable processes_;
  std::vector<protocol::ProcessEntry> process_entries_;  ///< what the segment's table should contain
  std::uint64_t load_base_ = 0;
  std::uint64_t main_frame_ = 0;
  WarningCounts warnings_;
  std::vector<protocol::Wait> waits_;
  std::vector<protocol::IntendedRace> intended_races_;
  bool has_long_waits_ = false;
  std::vector<Goal> goals_before_;  ///< of an earlier process
  bool expects_addresses_ = false;  ///< the program must lie where it did
};

}  // namespace mazurka::program

// A native program as a system to explore: jobs go to worker processes, executions come back.
//
// Every record of an execution that repeats an earlier one is compared with it: up to the first step where two
// schedules differ, everything must be the same, or the program has a source of nondeterminism that is not under
// control. The execution is then reported as Outcome::Diverged with both events.
#pragma once

#include <deque>
#include <memory>
#include <optional>
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
  /// Another executor of the same program, with a worker of its own, for another thread: number 1 to
  /// Configuration::explorers. Processes have the same indices in all of them.
  ProgramExecutor(const ProgramExecutor& first, std::uint32_t number);

  /// Of several workers, one that is idle starts at once; otherwise the first that becomes idle does, when a job is
  /// collected. A single worker gets all jobs so far when one of them is collected: a change of process serves many.
  JobHandle submit(const Job& job) override;
  void collect(JobHandle handle, Execution& into) override;
  void abandon(JobHandle handle) override;
  void learn_from(const Executor& other) override;
  /// Learns of the processes that other executors have met, and where the program lies.
  void refresh();
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
  /// A worker and its channel.
  struct Station {
    Station(const Configuration& configuration, Segment& segment, std::uint32_t number)
        : worker(configuration, segment, number), exchange(worker.channel()) {}
    Worker worker;
    bool is_idle() const { return tasks.empty(); }
    Exchange exchange;
    std::vector<std::uint32_t> tasks;  ///< what it does, one after the other
    std::uint64_t since = 0;           ///< when that was begun: a number
  };
  /// A job that was submitted and not collected.
  struct Task {
    enum class State : std::uint8_t { Queued, Running, Done };
    State state = State::Queued;
    bool abandoned = false;
    Job job;
    Execution execution;  ///< once it is done
  };

  /// An idle one, or null.
  Station* idle_station();
  Station& busy_station();
  /// Gives it what is queued, if anything is.
  void start(Station& station);
  /// Waits for what a busy station does and keeps the executions until they are collected. What it was given but did
  /// not do is queued again.
  void settle(Station& station);
  void wait_and_read(Station& station);
  /// The executions that it left a record of; returns how many.
  std::size_t read_records(Station& station);
  void note_done(std::uint32_t task);
  /// Puts what the channel has to say into an execution. Throws DamagedSegment.
  void read(Station& station, Handover handover, Execution& into);
  /// What an answer and a record have in common.
  std::optional<Difference> read_execution(Station& station, const Answer& answer, bool answered, Execution& into);
  void report_damage(Station& station, const char* what, Execution& into);
  /// A station that is idle while nothing is queued.
  Station& free_station();
  void read_processes();
  /// Takes over what a worker has found out.
  void read_waits(const protocol::Channel& channel);
  void read_meant_races(const protocol::Channel& channel);
  /// The channel that an answer was read from last.
  const protocol::Channel& latest() const { return read_last_->worker.channel(); }
  void read_failure(Execution& execution) const;
  void read_printed(const Answer& answer, Execution& execution) const;
  void report_death(const Worker& worker, Handover handover, Execution& execution) const;
  void read_warnings(const Answer& answer, Execution& execution);
  /// `failing`: the warnings that count as errors.
  static void make_failure(Execution& execution, std::uint32_t failing);

  std::shared_ptr<Segment> segment_;
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
};

}  // namespace mazurka::program

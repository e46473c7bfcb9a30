// A native program as a system to explore: jobs go to worker processes, executions come back.
//
// Every record of an execution that repeats an earlier one is compared with it: up to the first step where two
// schedules differ, everything must be the same, or the program has a source of nondeterminism that is not under
// control. The execution is then reported as Outcome::Diverged with both events.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/executor.hpp"
#include "core/process_table.hpp"
#include "program/exchange.hpp"
#include "program/worker.hpp"

namespace mazurka::program {

/// What is dubious, and in how many executions.
using Warnings = std::map<std::string, std::uint64_t, std::less<>>;

class ProgramExecutor : public Executor {
 public:
  explicit ProgramExecutor(const Configuration& configuration);

  /// A worker that is idle starts at once; otherwise the first that becomes idle does, when a job is collected.
  JobHandle submit(const Job& job) override;
  void collect(JobHandle handle, Execution& into) override;
  std::size_t process_count() const override { return processes_.size(); }
  std::string process_name(ProcessIndex process) const override { return processes_.path(process); }
  /// Before the first run this makes the process known, so that a schedule from a file can name threads that do not
  /// exist yet.
  ProcessIndex process_named(std::string_view path) override;
  std::string describe(const Operation& operation) const override;
  std::string object(const Operation& operation) const override;
  std::string source(std::uint64_t site) const override { return site != 0 && site_namer_ ? site_namer_(site) : ""; }
  CodePlace place(std::uint64_t site) const override { return site != 0 && placer_ ? placer_(site) : CodePlace{}; }

  /// How objects and places are named in texts. Without, an object is its address and a place an offset in the program.
  /// An empty answer means "not known".
  using Namer = std::function<std::string(std::uint64_t)>;
  void name_objects(Namer namer) { object_namer_ = std::move(namer); }  ///< takes an address, see load_base()
  void name_sites(Namer namer) { site_namer_ = std::move(namer); }      ///< takes a site: relative to the load base
  using Placer = std::function<CodePlace(std::uint64_t)>;
  void place_sites(Placer placer) { placer_ = std::move(placer); }
  /// The function that a site belongs to.
  using Encloser = std::function<protocol::CodeRange(std::uint64_t)>;
  void enclose_sites(Encloser encloser) { encloser_ = std::move(encloser); }
  Execution prepared_for_report(Execution execution) override;

  /// What the program printed in the last execution that was read, standard output and standard error in their order.
  std::string_view output() const;
  /// Bits of that execution: protocol::kWarn….
  std::uint32_t warnings() const { return latest().warnings; }
  /// What was dubious in any execution so far, and in how many.
  const Warnings& all_warnings() const { return all_warnings_; }
  /// What the program would have returned to the shell.
  int exit_status() const { return latest().exit_status; }
  /// Where the last execution that was read failed: a site, 0 if not known.
  std::uint64_t error_site() const { return latest().error_site; }
  /// Where the image of the program is loaded, the same in every worker: address - load_base() is its symbol's value.
  std::uint64_t load_base() const { return latest().load_base; }
  /// Where the frame of main begins, which also is the same everywhere.
  std::uint64_t main_frame() const { return latest().main_frame; }

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
  void start_queued(Station& station);
  /// A station that is idle while nothing is queued.
  Station& free_station();
  void read_processes();
  /// The channel that an answer was read from last.
  const protocol::Channel& latest() const { return read_last_->worker.channel(); }
  void read_error(Execution& execution) const;
  void report_death(const Worker& worker, Handover handover, Execution& execution) const;
  void report_deadlock(Execution& execution) const;
  void read_warnings(Execution& execution);
  std::string finding_text() const;
  std::string leak_text() const;
  void add_use(std::string& text, const protocol::UseRecord& use, const char* when) const;
  void add_stack(std::string& text, const protocol::CallStack& stack) const;
  void add_block(std::string& text) const;
  void diverge(const Difference& difference, Execution& execution) const;
  std::string describe_event(const Event& event) const;
  /// Sees to it that sites of this execution in system headers are passed over. Whether there are new ones.
  bool pass_over(const Execution& execution);
  /// An address in a known block of the heap; empty where there is none.
  std::string heap_text(std::uint64_t address) const;
  std::string object_text(std::uint64_t address) const;
  std::string site_text(std::uint64_t site) const;

  Segment segment_;
  std::vector<std::unique_ptr<Station>> stations_;
  const Station* read_last_ = nullptr;  ///< whose answer
  std::uint64_t started_ = 0;           ///< how many jobs
  std::vector<Task> tasks_;             ///< by handle
  std::vector<std::uint32_t> free_tasks_;
  std::deque<std::uint32_t> queue_;
  ProcessTable processes_;
  Namer object_namer_;
  Namer site_namer_;
  Placer placer_;
  Encloser encloser_;
  std::vector<protocol::HeapBlock> blocks_;  ///< of the execution that is being shown, in the order of their addresses
  Warnings all_warnings_;
};

}  // namespace mazurka::program

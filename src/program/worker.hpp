// A worker: a process that runs the program under test with the runtime inside. It is started when first needed, and
// restarted after it died.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/types.h>

#include "core/failure_record.hpp"
#include "program/one_processor.hpp"
#include "program/patience.hpp"
#include "program/process_registry.hpp"
#include "program/protocol.hpp"
#include "program/segment.hpp"
#include "program/suppressions.hpp"
#include "program/zygote.hpp"

namespace mazurka::program {

/// How to run a program.
struct Configuration {
  std::string binary;
  std::vector<std::string> arguments;  ///< without the program's name
  protocol::Settings settings;
  /// Words in front of the program's command line: a debugger, which outlives the program.
  std::vector<std::string> debugger;
  bool strict = false;                         ///< warnings are errors
  std::chrono::milliseconds watchdog{10'000};  ///< how much of its own time a worker may spend without progress
  /// The explorer submits no job ahead: it and the worker run in lockstep, never concurrently, and may share a CPU.
  /// Only for a single worker.
  bool lockstep = false;
  /// The source of workers that execute a closure instead of main; null: they are started.
  std::shared_ptr<Zygote> zygote;
  /// The maximum number of concurrent jobs. A program that changes files needs exclusive access to them: one.
  std::uint32_t workers = 1;
  /// How many other executors there may be (ProgramExecutor), each with a worker. They change no files either.
  std::uint32_t explorers = 0;
  /// Where the program is executed in several ranks: what they agree on. All ranks have explorers, each with a table
  /// of processes of its own. Null: in this process only.
  std::shared_ptr<ProcessRegistry> registry;
  std::vector<protocol::Wait> waits;  ///< known waiting sites
  /// Bounded spins of the C++ library (library_code.hpp); ProgramExecutor fills it in.
  std::vector<protocol::CodeRange> bounded_spins;
  /// Code of the C++ library that locks several mutexes and backs off if one is taken; ProgramExecutor fills it in.
  std::vector<protocol::CodeRange> back_offs;
  /// Where the C++ library reads the clock for a timed wait (timed_code.hpp); ProgramExecutor fills it in.
  std::vector<protocol::TimedCode> timed_code;
  std::vector<Suppression> suppressions;  ///< data races not to report
  /// What the suppressions match in the program; ProgramExecutor fills it in. Null: nothing.
  std::shared_ptr<const protocol::Suppressions> suppressed;
};

/// How a job ended.
enum class Handover {
  Answered,
  Died,         ///< the process died during it
  Interrupted,  ///< the user interrupted it; the process was killed
  Stuck,        ///< no progress within the watchdog's limit (watchdog.hpp); the process was killed
};

class Worker {
 public:
  /// Uses channel `number` of the segment. \pre The segment outlives it.
  Worker(Configuration configuration, Segment& segment, std::uint32_t number);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  protocol::Channel& channel() { return *channel_; }
  const protocol::Channel& channel() const { return *channel_; }
  const Configuration& configuration() const { return configuration_; }

  /// Starts the job in the channel. Throws InputError if the program cannot be run at all.
  void request();
  /// Waits until the job has ended.
  Handover wait();
  /// Kills the process, if there is one, and clears the channel: nothing in it can be trusted.
  void discard();
  /// Kills the process, if there is one: the next request starts another.
  void end() { stop(); }
  /// Whether the current process, or the last one if it has died, has answered a request.
  bool has_served() const { return has_served_; }
  /// Whether wait() would return at once.
  bool has_answered() const;

  /// How the last process died.
  const ProcessDeath& death() const { return death_; }
  /// If it was stuck: the system call that it was blocked in; empty if none.
  const std::string& stuck_in() const { return stuck_in_; }
  /// Whether it was stuck in a loop of plain accesses.
  bool stuck_in_plain_loop() const { return stuck_in_plain_loop_; }
  /// If it was stuck: the sites where it may have been, the most likely first.
  const std::vector<std::uint64_t>& places_stuck_at() const { return places_stuck_at_; }
  /// Whether it was killed from outside (SIGKILL), which says nothing about the program.
  bool killed() const { return death_ == ProcessDeath{true, SIGKILL}; }
  /// The worker's pid, 0 if there is none at the moment.
  pid_t process() const { return process_; }
  /// The number of processes started so far.
  unsigned starts() const { return starts_; }

 private:
  void start();
  /// Starts the program in a new process.
  void start_program();
  void stop();
  bool has_ended();
  void put_files_back();
  Handover wait_for_answer();
  void wait_for_debugger();
  std::string where_it_is_stuck() const;

  Configuration configuration_;
  Segment& segment_;
  std::uint32_t number_;
  int backup_ = -1;        ///< saved contents of files that an execution changes
  int backup_place_ = -1;  ///< its descriptor in the worker
  protocol::Channel* channel_;
  std::uint32_t request_ = 0;  ///< number of the last request; the one in the channel cannot be trusted
  bool has_served_ = false;
  pid_t process_ = 0;
  unsigned starts_ = 0;
  bool stuck_in_plain_loop_ = false;
  Patience patience_;
  std::optional<OneProcessor> processor_;
  ProcessDeath death_;
  std::string stuck_in_;
  std::vector<std::uint64_t> places_stuck_at_;
};

}  // namespace mazurka::program

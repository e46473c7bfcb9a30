// One worker: a process that runs the program under test with the runtime inside, and the memory shared with it. It is
// started when first needed and again after it died.
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
#include "program/protocol.hpp"
#include "program/segment.hpp"
#include "program/suppressions.hpp"
#include "program/zygote.hpp"

namespace mazurka::program {

/// How a program is run.
struct Configuration {
  std::string binary;
  std::vector<std::string> arguments;  ///< without the program's name
  protocol::Settings settings;
  /// Words before the program's own on its command line: a debugger, which stays after the program has ended.
  std::vector<std::string> debugger;
  bool strict = false;                         ///< what is dubious counts as an error
  std::chrono::milliseconds watchdog{10'000};  ///< of its own time, how long a worker may go without progress
  /// The explorer submits nothing early: it and the worker run in lockstep, never at the same time, and may share a
  /// processor. For one worker only.
  bool lockstep = false;
  /// Where workers come from that execute a closure instead of main; none: they are started.
  std::shared_ptr<Zygote> zygote;
  /// How many jobs can be under way. A program that changes files needs to be alone with them: one.
  std::uint32_t workers = 1;
  std::vector<protocol::Wait> waits;  ///< where threads are known to wait in loops
  /// Where the C++ library looks a few times before it blocks (library_code.hpp); ProgramExecutor fills it in.
  std::vector<protocol::CodeRange> bounded_spins;
  /// Where it locks several mutexes, and backs off where one is taken; likewise.
  std::vector<protocol::CodeRange> back_offs;
  /// Where it asks for the time because of a wait (timed_code.hpp), likewise.
  std::vector<protocol::TimedCode> timed_code;
  std::vector<Suppression> suppressions;  ///< data races that are not to be reported
  /// What they suppress of the program; ProgramExecutor fills it in. Null: nothing.
  std::shared_ptr<const protocol::Suppressions> suppressed;
};

/// What became of a job.
enum class Handover {
  Answered,
  Died,         ///< the process ended in the middle of it
  Interrupted,  ///< the user does not want to wait any longer; the process has been ended
  Stuck,        ///< no progress for the time of the watchdog (watchdog.hpp); the process has been ended
};

class Worker {
 public:
  /// Talks through the segment's channel of this number. \pre The segment outlives it.
  Worker(Configuration configuration, Segment& segment, std::uint32_t number);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  protocol::Channel& channel() { return *channel_; }
  const protocol::Channel& channel() const { return *channel_; }
  const Configuration& configuration() const { return configuration_; }

  /// Hands over the job that the channel describes. Throws InputError where the program cannot be run at all.
  void request();
  /// Waits for what becomes of it.
  Handover wait();
  /// Ends the process, if there is one, and clears the channel: nothing in it can be trusted.
  void discard();
  /// Whether the process, or the last one if it has ended, has answered a request.
  bool has_served() const { return has_served_; }
  /// Whether there is no need to wait.
  bool has_answered() const;

  /// How the last process ended, where it died.
  const ProcessDeath& death() const { return death_; }
  /// Of one that was stuck: the system call it was waiting in; empty where it was in none.
  const std::string& stuck_in() const { return stuck_in_; }
  /// Whether it was stuck in a loop of plain accesses.
  bool stuck_in_plain_loop() const { return stuck_in_plain_loop_; }
  /// Where it was then, as sites, the likeliest first; empty where it was not stuck.
  const std::vector<std::uint64_t>& places_stuck_at() const { return places_stuck_at_; }
  /// Whether it was ended from outside (SIGKILL), which says nothing about the program.
  bool killed() const { return death_ == ProcessDeath{true, SIGKILL}; }
  /// The process number of the worker, 0 where there is none just now.
  pid_t process() const { return process_; }
  /// How many processes have been started.
  unsigned starts() const { return starts_; }

 private:
  void start();
  /// Starts the program in a process of its own.
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
  int backup_ = -1;        ///< of the contents of files that an execution changes
  int backup_place_ = -1;  ///< its descriptor in the worker
  protocol::Channel* channel_;
  std::uint32_t request_ = 0;  ///< the number of the last: what the channel says may be anything
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
